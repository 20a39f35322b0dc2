import { createServer } from 'node:http';
import { createRequire } from 'node:module';

import { expect } from 'chai';

import { notInstalled, pathInBench } from '../../bench/peers/installed.js';
import { benchrest } from '../../index.js';
import { flowOf } from '../../lib/addons/import/draft.js';
import { read } from '../../lib/addons/import/postman/index.js';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const test = (...exec) => [{ listen: 'test', script: { exec } }];
const raw = (text, language) => ({ mode: 'raw', raw: text, ...(language && { options: { raw: { language } } }) });

/** Requests whose bodies, types and values differ between programs that read a collection. */
const itemsFor = (origin) => {
  const post = (path, body, header = []) => ({ method: 'POST', url: `${origin}/${path}`, header, body });
  return [
    {
      name: 'create',
      request: post('create', raw('{"a":1} // a comment', 'json')),
      event: test(
        'const r = pm.response.json(); const { token } = r;',
        "pm.environment.set('id', r.id); pm.environment.set('token', 'Bearer ' + token);",
        "var item = r.item || {}; postman.setEnvironmentVariable('slug', item.slug);",
      ),
    },
    {
      name: 'use',
      request: post('use/{{slug}}', raw('{"id":"{{id}}","n":{{id}}}', 'json'), [{ key: 'X-T', value: '{{token}}' }]),
    },
    { name: 'text', request: post('text', raw('{"a":1}')) },
    { name: 'xml', request: post('xml', raw('<a/>', 'xml')) },
    { name: 'empty', request: post('empty', { mode: 'urlencoded', urlencoded: [] }) },
    { name: 'form', request: post('form', { mode: 'urlencoded', urlencoded: [{ key: 'a', value: 'b c' }] }) },
    { name: 'query', request: post('query', { mode: 'graphql', graphql: { query: '{ a }', variables: '' } }) },
    { name: 'read', request: { method: 'GET', url: `${origin}/read`, body: raw('{"a":1}', 'json') } },
    {
      name: 'kept',
      protocolProfileBehavior: { disableBodyPruning: true },
      request: { method: 'GET', url: `${origin}/kept`, body: raw('{"a":1}', 'json') },
    },
  ];
};

describe('imported collections', () => {
  it('Postman: newman sends the same requests', async function () {
    const reason = notInstalled('newman');
    if (reason) return this.skip(reason);
    const newman = createRequire(pathInBench('package.json'))('newman');
    let seen = [];
    const server = createServer(async (request, response) => {
      const chunks = await request.toArray();
      const { 'content-type': type, accept = '*/*', 'x-t': token } = request.headers;
      seen.push([`${request.method} ${request.url}`, type, accept, token, Buffer.concat(chunks).toString().trim()]);
      response
        .setHeader('Content-Type', 'application/json')
        .end('{"id":17,"token":"t1","item":{"slug":"s"},"data":{}}');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const collection = {
        info: { name: 'c', schema: SCHEMA },
        item: itemsFor(`http://127.0.0.1:${server.address().port}`),
      };
      await new Promise((resolve, reject) =>
        newman.run({ collection }, (error) => (error ? reject(error) : resolve())),
      );
      const expected = seen;
      seen = [];
      const draft = await read(JSON.stringify(collection), { from: 'c.json', folder: '/', keepSecrets: true });
      await benchrest(flowOf(draft), { iterations: 1, limit: 1, quiet: true });
      expect(seen).to.deep.equal(expected);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
