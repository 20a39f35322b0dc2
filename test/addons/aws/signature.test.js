import { createHash } from 'node:crypto';

import { expect } from 'chai';

import benchrest from '../../../index.js';
import { compileSignature } from '../../../lib/addons/aws/signature.js';
import { compiledFlow } from '../../support/compiled-flow.js';
import { renderedRequest } from '../../support/compiled-request.js';
import { ok, serving } from '../../support/serve.js';

/** The credentials and the time of the test suite that AWS publishes for Signature Version 4. */
const AWS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
};
const NOW = Date.UTC(2015, 7, 30, 12, 36, 0);
const signatureOf = (request, aws = AWS) => {
  const sign = compileSignature(aws, { mark: (text) => text }, () => NOW);
  const endpoint = { host: 'example.amazonaws.com' };
  const { fields } = sign({ method: 'GET', path: '/', fields: [], body: null, endpoint, ...request }, {});
  return fields;
};
const SCOPE = 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=';

const ONCE = { limit: 1, iterations: 1 };

describe('addons/aws', () => {
  for (const [name, request, names, signature] of [
    ['get-vanilla', {}, 'host;x-amz-date', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'post-vanilla',
      { method: 'POST' },
      'host;x-amz-date',
      '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    ],
    [
      'get-vanilla-query-order-key-case',
      { path: '/?Param2=value2&Param1=value1' },
      'host;x-amz-date',
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
  ])
    it(`the published vector ${name}`, () =>
      expect(signatureOf(request)).to.deep.equal([
        'X-Amz-Date',
        '20150830T123600Z',
        'Authorization',
        `${SCOPE}${names}, Signature=${signature}`,
      ]));

  // aws4 1.13.2 computed these signatures; it also agreed on 400 random requests
  const FORM = ['Content-Type', 'application/x-www-form-urlencoded; charset=utf-8', 'Content-Length', '1'];
  for (const [what, { service, sessionToken, ...request }, signature] of [
    ['relative segments', { path: '/a/./b/../c' }, 'ca38e935d3755995c54c9507f4222dbeafacd561e8d3100bb0679299b181a0f4'],
    [
      'more .. than segments',
      { path: '/a/../../c/' },
      'f259e95ed875e35e1a19c9ee43dff4a6a6eb2ad206b5cf28b21f8106e83e50b0',
    ],
    ['empty segments', { path: '//a///b//' }, '125084d05882beb82770f7553eca9dc5479bd484c2579776817cc0a340800974'],
    [
      'an encoded path, which is encoded once more',
      { path: '/a%20b/%C3%A4' },
      'c5b1617976599edc2886ad2f22d6ce448ed0a0478976da3537b74fe7b81e2a75',
    ],
    [
      'plus signs in path and query',
      { path: '/a+b?q=a+b' },
      '007306d27f750fd40e6ea465557946e727f53ee3b3a61d180a999c0cd601660c',
    ],
    [
      'an empty value, a name alone, and an empty pair',
      { path: '/?b=&a&&c=1' },
      'e59259ab43b7aed0457e32b95696efd099b2a289f7cadaa4fdeeddea73f4575f',
    ],
    [
      'a repeated name, whose values are sorted',
      { path: '/?a=Z&a=1&a=%C3%A4' },
      'e3c5f17897d289a23903165a2dcecf1eed23da5f4d5d060a755445c812218172',
    ],
    [
      'the key of an S3 object',
      { path: '/a//b/../c%2Fd+e', service: 's3' },
      'fd7d3e66e0946749ba18d884f8112af2d6b2276025ae58129a379bbcb8040944',
    ],
    [
      'spaces and tabs in a field',
      { fields: ['X-Custom', ' a \t b  c '] },
      'a1c81d03b324ba3c1fce4d29a01397f8cb553d4bc9b6a4e4f0703ac3ba832104',
    ],
    [
      'a payload that is not signed',
      { method: 'PUT', service: 's3', fields: ['X-Amz-Content-Sha256', 'UNSIGNED-PAYLOAD', ...FORM], body: 'x' },
      '9a70c1ca89d6f457ae9b6a3645b914c7d841e72921e4f65b723a2be74bc99ce3',
    ],
    [
      'a body',
      {
        method: 'POST',
        path: '/items',
        fields: ['Content-Type', 'application/json', 'Content-Length', '7'],
        body: '{"a":1}',
      },
      '10c51d7533487b1e3367b0663c4aeaa1681e752023f8218699ac36efe6030241',
    ],
    [
      'a session token',
      { sessionToken: 'AQoDYXdzEPT//+=' },
      '8fbf62de2c9b8f234e11094b1ae583d484aca58e764265f3e4340c418b7373cf',
    ],
    [
      'fields that proxies change, which are not signed',
      { fields: ['X-Amzn-Trace-Id', 'Root=1', 'User-Agent', 'x', 'Range', 'bytes=0-1'] },
      '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    ],
  ])
    it(`signs ${what}`, () => {
      const aws = { ...AWS, ...(service && { service }), ...(sessionToken && { sessionToken }) };
      expect(signatureOf(request, aws).at(-1)).to.match(new RegExp(`, Signature=${signature}$`));
    });

  it('S3 gets the hash of the body; a session token is sent and signed', () => {
    const fields = signatureOf({ body: 'x', method: 'PUT' }, { ...AWS, service: 's3', sessionToken: 'AQoDYXdzEPT' });
    expect(fields.slice(0, 6)).to.deep.equal([
      ...['X-Amz-Date', '20150830T123600Z', 'X-Amz-Security-Token', 'AQoDYXdzEPT'],
      ...['X-Amz-Content-Sha256', '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'],
    ]);
    expect(fields.at(-1)).to.include('SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,');
  });

  it('operations are signed with credentials of the environment, which no output shows', () =>
    serving(ok, async (url, seen) => {
      process.env.TEST_AWS_SECRET = 'CANARY-secret-of-aws';
      const aws = { ...AWS, secretAccessKey: '#{env.TEST_AWS_SECRET}' };
      const traced = [];
      const { errorCount } = await benchrest(
        { get: `${url}/x?b=2&a=1`, aws },
        { limit: 1, iterations: 1, trace: (exchange) => traced.push(exchange) },
      );
      delete process.env.TEST_AWS_SECRET;
      expect(errorCount).to.equal(0);
      expect(seen[0].headers.authorization).to.match(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\//);
      expect(seen[0].headers['x-amz-date']).to.match(/^\d{8}T\d{6}Z$/);
      expect(JSON.stringify(traced)).to.not.include('CANARY');
    }));

  const contradictions = [
    [{ auth: { user: 'ann', pass: 'c4n4ry' } }, {}, /auth\b/],
    [{ auth: { bearer: 'c4n4ry' } }, {}, /auth\b/],
    [{ auth: { user: 'ann', sendImmediately: false } }, {}, /auth\b/],
    [{ headers: { authorization: 'Basic c4n4ry' } }, {}, /headers\b/],
    [{}, { headers: { Authorization: 'Basic c4n4ry' } }, /headers\b/],
    [{}, { user: 'ann', password: 'c4n4ry' }, /the user of the run\b.*or write headers: \{ Authorization: null \}/],
    [{ get: 'http://ann:c4n4ry@127.0.0.1:9/' }, {}, /the user in the URL\b/],
  ];
  for (const [operation, options, who] of contradictions) {
    it(`${JSON.stringify({ ...operation, ...options })} is refused beside aws: both set Authorization`, () => {
      const run = () => benchrest({ get: 'http://127.0.0.1:9/', aws: AWS, ...operation }, { ...ONCE, ...options });
      const reason = /flow\.main\[0\]\.aws: signs the request in the field Authorization, which .* sets too: remove/;
      expect(run).to.throw(reason).with.property('message').match(who).and.not.include('c4n4ry');
    });
  }

  it('a function of headers that sets Authorization beside aws fails the operation', async () => {
    const operation = { get: 'http://127.0.0.1:9/', aws: AWS, headers: () => ({ Authorization: 'x' }) };
    const run = benchrest(operation, { ...ONCE });
    const messages = [];
    run.on('error', ({ message }) => messages.push(message));
    await run;
    expect(messages.join()).to.include('which headers sets too');
  });

  it('headers: { Authorization: null } leaves the user of the run out of a signed request', () =>
    serving(ok, async (url, seen) => {
      const signedRequest = { get: url, aws: AWS, headers: { Authorization: null } };
      await benchrest([signedRequest, { get: url }], { ...ONCE, user: 'ann', password: 'x' });
      expect(seen.map(({ headers }) => headers.authorization.split(' ')[0])).to.deep.equal([
        'AWS4-HMAC-SHA256',
        'Basic',
      ]);
    }));

  it('a signed request keeps its signature after a hook sets env.user', () =>
    serving(ok, async (url, seen) => {
      const login = ({ env }) => Object.assign(env, { user: 'ann', password: 'x' });
      await benchrest({ get: url, aws: AWS, beforeHooks: [login] }, { ...ONCE });
      expect(seen[0].headers.authorization).to.match(/^AWS4-HMAC-SHA256 /);
    }));

  it('missing and unknown members are refused', () => {
    expect(() => benchrest({ get: 'http://127.0.0.1:9/', aws: { key: 'x' } }, { limit: 1, iterations: 1 })).to.throw(
      /aws\.key: unknown property/,
    );
    expect(() => benchrest({ get: 'http://127.0.0.1:9/', aws: { region: 'x' } }, { limit: 1, iterations: 1 })).to.throw(
      /aws: expected an object such as/,
    );
  });

  it('a body in chunks is signed as it is without them', () => {
    const aws = { ...AWS, service: 's3' };
    const operation = { put: '/', body: 'abc', headers: { 'Transfer-Encoding': 'chunked' }, aws };
    const { body, fields } = renderedRequest(operation);
    expect(body).to.match(/^3\r\nabc/);
    expect(fields).to.include(createHash('sha256').update('abc').digest('hex'));
  });

  it('hooks cannot change the credentials in place, which all requests share', () => {
    const aws = { ...AWS };
    const flow = [{ get: 'http://h/', beforeHooks: [() => {}], aws }];
    const options = compiledFlow(flow).main[0].options({ index: 0, vars: {} });
    expect(Object.isFrozen(options.aws)).to.equal(true);
    expect(Object.isFrozen(aws)).to.equal(false);
  });
});
