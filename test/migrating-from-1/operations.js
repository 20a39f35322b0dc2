import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { FLOW_PROPERTIES } from '../../lib/core/flow/normalize.js';
import { PROPERTY_NAMES } from '../../lib/core/flow/operation.js';
import { recorded, recording } from '../support/har.js';
import { GUIDE_ROWS } from '../support/migration-guide.js';
import { namesIn, refused, sending } from './expectations.js';

const ONE = { limit: 1, iterations: 1 };
const JSON_FIELDS = (length) => `accept: application/json, content-length: ${length}, content-type: application/json`;

/** Bodies, headers and names of operations. @type {import('../migrating-from-1.test.js').Stories} */
export const OPERATIONS = {
  'A function that returns true': {
    async instead({ runs, url, codes: [json, body], valueOf }) {
      const { requests } = await runs({
        post: `${url}/echo`,
        ...valueOf(`{ ${json} }`),
        [body]: ({ index }) => ({ index }),
      });
      expect(requests).to.deep.equal([`POST /echo, ${JSON_FIELDS(11)}, host: TARGET <{"index":0}>`]);
    },
  },
  'Functions get more': {
    async instead({ runs, url, codes: [code], valueOf }) {
      const { requests } = await runs({ get: (tokens) => `${url}/${valueOf(code, { tokens })}` }, { iterations: 2 });
      expect(requests).to.deep.equal(['GET /0, host: TARGET', 'GET /1, host: TARGET']);
    },
  },
  'Functions within `json`': {
    instead: sending(
      ({ url }) => ({ post: `${url}/echo`, json: { a: 1 } }),
      [`POST /echo, ${JSON_FIELDS(7)}, host: TARGET <{"a":1}>`],
    ),
  },
  'A text that is probably': {
    async instead({ runs, url, codes: [token] }) {
      const tokens = { NAME: () => 'ann' };
      const { requests } = await runs({ tokens, main: [{ post: `${url}/a`, body: `${token} #{NAME}` }] });
      expect(requests).to.deep.equal(['POST /a, content-length: 5, host: TARGET <0 ann>']);
    },
  },
  'A header that is null': {
    async instead({ runs, url, codes: [code], valueOf }) {
      const { requests } = await runs({ get: `${url}/a`, headers: { 'x-u': valueOf(code) } });
      expect(requests).to.deep.equal(['GET /a, host: TARGET, x-u: null']);
    },
  },
  'Misspelled names are': {
    instead: ({ url }) => {
      refused({ get: url, aftrHooks: [] }, /aftrHooks: .*afterHooks/);
      refused({ get: url, afterHooks: ['verify2xx'] }, /verify2xx.*verify2XX/);
      refused(url, /iteration: .*iterations/, { ...ONE, iteration: 5 });
      refused({ get: url, postHooks: [] }, /postHooks: is afterHooks here/);
    },
  },
  'Names that have a meaning': {
    here: () => {
      const [, ofOperations, ofFlows] = /in operations (.*); in flows (.*); and all/.exec(
        GUIDE_ROWS.find(({ differs }) => differs.startsWith('Names that have a meaning')).differs,
      );
      expect(PROPERTY_NAMES).to.include.members(namesIn(ofOperations));
      expect(Object.keys(FLOW_PROPERTIES)).to.include.members(namesIn(ofFlows));
    },
    instead: ({ url, runs, codes: [mark] }) =>
      sending(() => ({ get: `${url}/a`, [`${mark}expect`]: 200, wanted: 200 }), ['GET /a, host: TARGET'])({ runs }),
  },
  'Values that 1.2.4 could not': {
    async instead({ runs, url, codes, valueOf }) {
      const [headers, date] = codes.map((code) => valueOf(code, { map: new Map([['a', '1']]), date: new Date(0) }));
      const { requests } = await runs({ get: `${url}/a?b=1`, headers: { ...headers, date } });
      expect(requests).to.deep.equal(['GET /a?b=1, a: 1, date: Thu, 01 Jan 1970 00:00:00 GMT, host: TARGET']);
    },
  },
  '`formData` and `multipart`': {
    async instead({ runs, url }) {
      const { requests } = await runs([
        { post: `${url}/a`, formData: { b: '2' } },
        { post: `${url}/b`, json: { a: 1 } },
      ]);
      expect(requests[0]).to.match(/multipart\/form-data/);
      expect(requests[1]).to.match(/<\{"a":1\}>$/);
    },
  },
  '`json` beside `form`': {
    instead: sending(
      ({ url }) => ({ post: `${url}/echo`, json: { a: 1 } }),
      [`POST /echo, ${JSON_FIELDS(7)}, host: TARGET <{"a":1}>`],
    ),
  },
  'A stream as `body`': {
    async instead({ runs, url, file, codes: [property], valueOf }) {
      const path = file('body', 'text');
      const { requests } = await runs(
        [
          { post: `${url}/a`, ...valueOf(`{ ${property} }`, { path }) },
          { post: `${url}/a`, body: readFileSync(path) },
        ],
        { iterations: 2 },
      );
      expect(requests).to.deep.equal(Array(4).fill('POST /a, content-length: 4, host: TARGET <text>'));
    },
  },
  'A fraction as `iterations`': {
    async instead({ runs, url, codes: [code], valueOf }) {
      const { requests } = await runs(`${url}/a`, { iterations: valueOf(code, { iterations: 2.5 }) });
      expect(requests).to.have.lengthOf(3);
    },
  },
  'Other values of run options': {
    async instead({ runs, url, codes, valueOf }) {
      const options = Object.assign({ user: 'true' }, ...codes.map((code) => valueOf(`{ ${code} }`)));
      const { requests } = await runs(`${url}/a`, options);
      expect(requests).to.deep.equal([`GET /a, authorization: Basic ${btoa('true:')}, host: TARGET`]);
    },
  },
  '`oauth`': {
    here: ({ url }) => {
      for (const name of ['oauth', 'hawk', 'httpSignature'])
        refused({ get: url, [name]: {} }, new RegExp(`${name}: signs requests`));
      refused({ get: url, aws: { key: 'k', secret: 's', bucket: 'b' } }, /accessKeyId/);
    },
    async instead({ runs, url }) {
      const sign = ({ requestOptions: { method, uri, headers } }) =>
        void (headers.authorization = `HMAC ${method} ${new URL(uri).pathname}`);
      const { requests } = await runs({ get: `${url}/a`, beforeHooks: [sign] });
      expect(requests).to.deep.equal(['GET /a, authorization: HMAC GET /a, host: TARGET']);
    },
  },
  '`har` is refused': {
    async instead({ command, runs, url, file, codes: [line, ...properties], requests }) {
      const name = line.replace('bench-rest ', '');
      file(name, JSON.stringify(recording(recorded(`GET ${url}/recorded`))));
      expect((await command([name])).code).to.equal(0);
      expect(requests()[0]).to.match(/^GET \/recorded, /);
      const values = ['POST', `${url}/a`, { x: 'y' }, 'z'];
      const own = await runs(Object.fromEntries(properties.map((property, i) => [property, values[i]])));
      expect(own.requests).to.deep.equal(['POST /a, content-length: 1, host: TARGET, x: y <z>']);
    },
  },
  '`useQuerystring`': {
    instead: sending(({ url }) => `${url}/a?a=1&a=2`, ['GET /a?a=1&a=2, host: TARGET']),
  },
  '`jsonReviver`': {
    async instead({ runs, url, codes: [body, json], valueOf }) {
      let seen;
      const { requests } = await runs({
        post: `${url}/json`,
        json: { a: 1 },
        beforeHooks: [(all) => void (valueOf(json, { all }).b = 2)],
        afterHooks: [(all) => void (valueOf(body, { all }).id = 8), (all) => void (seen = all.body.id)],
      });
      expect(requests[0]).to.match(/<\{"a":1,"b":2\}>$/);
      expect(seen).to.equal(8);
    },
  },
};
