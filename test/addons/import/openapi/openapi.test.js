import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { flowOf, operationsOf, titleOf } from '../../../../lib/addons/import/draft.js';
import { readEndpoints } from '../../../../lib/addons/import/openapi/endpoints.js';
import { read } from '../../../../lib/addons/import/openapi/index.js';
import { References } from '../../../../lib/addons/import/openapi/references.js';
import { writeFlow } from '../../../../lib/addons/import/write-flow.js';
import { serving } from '../../../support/serve.js';
import { itSlow } from '../../../support/slow.js';
import { until } from '../../../support/until.js';
import { SHOP } from './shop-document.js';

const options = { from: 'shop.json', folder: tmpdir() };
const draftOf = (document, more) => read(JSON.stringify(document), { ...options, ...more });
const titles = (draft) =>
  operationsOf(draft).map(({ operation, disabled }) => `${disabled ? '// ' : ''}${titleOf(operation)}`);

/** A document with one operation: `GET /` unless the path says otherwise. */
const withOperation = (operation, { path = '/a', method = 'post', ...rest } = {}) => ({
  openapi: '3.0.3',
  info: { title: 't', version: '1' },
  servers: [{ url: 'http://localhost:3000' }],
  paths: { [path]: { [method]: { responses: { 200: {} }, ...operation } } },
  ...rest,
});
const firstOf = async (...given) => operationsOf(await draftOf(withOperation(...given)))[0];
const bodyFor = async (schema, components) => {
  const requestBody = { content: { 'application/json': { schema } } };
  const { operation } = await firstOf({ requestBody }, { components });
  return operation.json;
};

describe('import/openapi', () => {
  it('the registration of the user who logs in comes before the login, with a name of its own', async () => {
    const body = (user) => ({ requestBody: { content: { 'application/json': { example: { user } } } } });
    const answer = (status) => ({
      responses: {
        [status]: { content: { 'application/json': { schema: { properties: { token: { type: 'string' } } } } } },
      },
    });
    const { beforeMain } = flowOf(
      await draftOf({
        openapi: '3.0.3',
        paths: {
          '/users/login': { post: { ...body({ email: 'ann@example.com', password: 'p' }), ...answer(200) } },
          '/users': {
            post: { ...body({ email: 'jake@example.com', password: 'q', username: 'jake' }), ...answer(201) },
          },
          '/me': { get: { security: [{ b: [] }] } },
        },
        components: { securitySchemes: { b: { type: 'http', scheme: 'bearer' } } },
      }),
    );
    expect(beforeMain.map(({ post, json: { user } }) => [post, user.email])).to.deep.equal([
      ['/users', 'jake-#{INDEX}@example.com'],
      ['/users/login', 'jake-#{INDEX}@example.com'],
    ]);
  });

  it('the id of what a POST creates is in its Location, if the response has no schema', async () => {
    const paths = {
      '/items': { post: { responses: { 201: { headers: { Location: { schema: { type: 'string' } } } } } } },
      '/items/{id}': { get: { responses: { 200: {} } } },
    };
    const { main } = flowOf(await draftOf(withOperation({}, { paths })));
    expect(main[0].capture.itemId).to.deep.include({ header: 'location' });
    expect(main[1].get).to.equal('/items/#{itemId}');
  });

  it('an object without members is a pair of a form', async () => {
    const properties = { definition: { type: 'object' }, list: { type: 'array' }, name: { type: 'string' } };
    const media = { schema: { required: ['definition', 'list'], properties } };
    const { operation } = await firstOf({ requestBody: { content: { 'application/x-www-form-urlencoded': media } } });
    expect(operation.form).to.equal('definition=%7B%7D&list=list');
  });

  it('an empty example of JSON is none', async () => {
    const media = { schema: { type: 'object', properties: { a: { type: 'integer' } } }, example: '' };
    const { operation } = await firstOf({ requestBody: { content: { 'application/json': media } } });
    expect(operation.json).to.deep.equal({ a: 1 });
  });

  it('a variable without a value that begins a server is its address, and no path', async () => {
    const draft = await draftOf(withOperation({}, { servers: [{ url: '{site}/v1/{area}' }] }));
    expect([flowOf(draft).main[0].post, draft.baseUrl]).to.deep.equal(['/v1/area/a', undefined]);
    expect(draft.dialectNotes).to.deep.equal(['The document names no host: pass --base-url.']);
  });

  it('a guessed value of the path has the format of a UUID', async () => {
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }];
    const { vars } = flowOf(await draftOf(withOperation({ parameters }, { path: '/a/{id}', method: 'get' })));
    expect(Object.values(vars)[0]).to.match(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-b[\da-f]{3}-[\da-f]{12}$/);
  });

  it('an operation with JSON asks for the type of its response', async () => {
    const requestBody = { content: { 'application/json': { example: { a: 1 } } } };
    const responses = { 200: { content: { 'application/pdf': {} } } };
    const { operation } = await firstOf({ requestBody, responses });
    expect(operation.headers).to.deep.equal({ Accept: 'application/pdf' });
  });

  it('settings whose names have the word of a secret are none', async () => {
    const schema = { properties: { auth_type: { enum: ['OIDC', 'SAML'] }, password_policy: { enum: ['any'] } } };
    expect(await bodyFor({ type: 'object', ...schema })).to.deep.equal({ auth_type: 'OIDC', password_policy: 'any' });
  });

  it('orders operations by what they need: create, read, change, use, delete', async () =>
    expect(titles(await draftOf(SHOP))).to.deep.equal([
      'POST /v1/login',
      'GET /v1/products',
      'GET /v1/products/#{productId}',
      '// DELETE /v1/products/#{productId}',
      'POST /v1/carts',
      'GET /v1/carts/#{cartId}',
      'PUT /v1/carts/#{cartId}',
      '// GET /v1/carts/#{cartId}/legacy',
      'POST /v1/carts/#{cartId}/items',
      'GET /v1/carts/#{cartId}/items',
      'PATCH /v1/carts/#{cartId}/items/#{itemId}',
      'DELETE /v1/carts/#{cartId}/items/#{itemId}',
      'DELETE /v1/carts/#{cartId}',
      'PUT /v1/notes/#{INDEX}',
      'GET /v1/notes/#{INDEX}',
      'GET /v1/reports/#{year}',
    ]));

  it('a parameter named id has the name of one item of its collection', async () => {
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
    const titleFor = async (path) => titleOf((await firstOf({ parameters }, { path, method: 'get' })).operation);
    expect(await titleFor('/addresses/{id}')).to.equal('GET /addresses/#{addressId}');
    expect(await titleFor('/Boxes/{id}')).to.equal('GET /Boxes/#{BoxId}');
    expect(await titleFor('/analysis/{id}')).to.equal('GET /analysis/#{analysisId}');
  });

  it('parameters are no built-in tokens, computed fields are left out, and numbers and names are no secrets', async () => {
    const header = (name) => ({ name, in: 'header', required: true, schema: { type: 'string' } });
    const schema = { required: ['keyLength'], properties: { keyLength: { type: 'integer', example: 2048 } } };
    const { operation } = await firstOf(
      {
        parameters: [
          header('Content-Length'),
          header('x-amz-bearer'),
          { name: 'index', in: 'path', required: true, schema: { type: 'integer' } },
        ],
        requestBody: { content: { 'application/json': { schema } } },
      },
      { path: '/range(index={index})' },
    );
    expect(operation).to.deep.equal({
      post: '/range(index=#{indexValue})',
      headers: { 'x-amz-bearer': '#{env.AMZ_BEARER}' },
      json: { keyLength: 2048 },
      expect: { status: 200 },
    });
  });

  it('writes the flow that a person would write', async () => {
    const draft = await draftOf(SHOP, { tag: ['carts'], exclude: ['legacyCart'] });
    expect(writeFlow(draft, 'mjs')).to.equal(`import { defineFlow } from 'bench-rest';

// Made from the OpenAPI document "Shop" by bench-rest import.
export default defineFlow({
  baseUrl: 'https://shop.example',
  headers: { Authorization: 'Bearer #{env.TOKEN}' },
  main: [
    // Open a cart
    {
      post: '/v1/carts',
      json: { currency: 'EUR' },
      expect: { status: 201 },
      capture: { cartId: '$.data.id' },
    },
    { get: '/v1/carts/#{cartId}', expect: { status: 200 } },
    { put: '/v1/carts/#{cartId}', json: { currency: 'EUR' }, expect: { status: [200, 204] } },
    {
      post: '/v1/carts/#{cartId}/items',
      json: { product: '#{uuid}', count: 1 },
      expect: { status: 201 },
      capture: { itemId: '$.id' },
    },
    { get: '/v1/carts/#{cartId}/items', expect: { status: 200 } },
    { patch: '/v1/carts/#{cartId}/items/#{itemId}', json: { count: 2 }, expect: { status: 200 } },
    { delete: '/v1/carts/#{cartId}/items/#{itemId}', expect: { status: 204 } },
    { delete: '/v1/carts/#{cartId}', expect: { status: 204 } },
  ],
});
`);
  });

  it('a login becomes beforeMain, and the others send the token that it returns', async () => {
    const { phases } = await draftOf(SHOP);
    expect(phases.beforeMain.map(({ operation }) => operation)).to.deep.equal([
      {
        post: '/v1/login',
        json: { user: 'user', password: '#{env.PASSWORD}' },
        expect: { status: 200 },
        capture: { token: '$.access_token' },
      },
    ]);
    expect(phases.main[0].operation.headers).to.deep.equal({ Authorization: 'Bearer #{token}' });
  });

  it('operations that are commented out have the reason above them', async () => {
    const text = writeFlow(await draftOf(SHOP), 'mjs');
    expect(text).to.contain('// Left out: it deletes what this flow did not create.\n    // {');
    expect(text).to.contain('// Left out: the document calls it deprecated.');
  });

  it('--operation imports what would be left out, if it names it alone', async () => {
    const names = async (...operation) => titles(await draftOf(SHOP, { operation }));
    expect(await names('DELETE /products/{id}', 'legacyCart')).to.deep.equal([
      'DELETE /v1/products/#{productId}',
      'GET /v1/carts/#{cartId}/legacy',
    ]);
    expect(await names('/products/*')).to.deep.equal([
      'GET /v1/products/#{productId}',
      '// DELETE /v1/products/#{productId}',
    ]);
    const error = await draftOf(SHOP, { operation: ['DELETE /products/*'] }).catch((thrown) => thrown);
    expect(error.message)
      .to.contain('would be left out: it deletes what this flow did not create')
      .and.contain("such as --operation 'DELETE /products/{id}'");
  });

  it('values that no operation returns are variables, to be replaced', async () => {
    const draft = await draftOf(SHOP, { operation: ['/reports/*'] });
    expect(draft.properties.vars).to.deep.equal({ year: 2026 });
    expect(draft.comments.join(' ')).to.contain('vars are guessed');
  });

  it('an item whose name the client chooses has the name that its POST sends', async () => {
    const schema = {
      required: ['name'],
      properties: { name: { type: 'string' }, id: { type: 'string', format: 'uuid' } },
    };
    const draft = await draftOf({
      openapi: '3.1.0',
      servers: [{ url: 'http://localhost:3000' }],
      paths: {
        '/tags': { post: { requestBody: { content: { 'application/json': { schema } } }, responses: { 201: {} } } },
        '/tags/{name}': { get: { responses: { 200: {} } }, delete: { responses: { 204: {} } } },
      },
    });
    expect(flowOf(draft).main).to.deep.equal([
      { post: '/tags', json: { name: 'name #{INDEX}' }, expect: { status: 201 } },
      { get: '/tags/name%20#{INDEX}', expect: { status: 200 } },
      { delete: '/tags/name%20#{INDEX}', expect: { status: 204 } },
    ]);
  });

  it('links name the value of a response', async () => {
    const draft = await draftOf({
      openapi: '3.1.0',
      servers: [{ url: 'http://localhost:3000/' }],
      paths: {
        '/orders': {
          post: {
            responses: {
              201: {
                content: {
                  'application/json': { schema: { type: 'object', properties: { order: { type: 'object' } } } },
                },
                links: { get: { operationId: 'getOrder', parameters: { number: '$response.body#/order/no' } } },
              },
            },
          },
        },
        '/orders/{number}': { get: { operationId: 'getOrder', responses: { 200: {} } } },
      },
    });
    expect(flowOf(draft).main).to.deep.equal([
      { post: '/orders', expect: { status: 201 }, capture: { orderNumber: '$.order.no' } },
      { get: '/orders/#{orderNumber}', expect: { status: 200 } },
    ]);
  });

  for (const [title, parameter, value, url] of [
    ['form', { in: 'query', name: 'q', schema: { type: 'string' } }, 'a b', '/a?q=a%20b'],
    ['exploded arrays', { in: 'query', name: 't', schema: { type: 'array' } }, ['a', 'b'], '/a?t=a&t=b'],
    ['form without explode', { in: 'query', name: 't', explode: false }, ['a', 'b'], '/a?t=a,b'],
    ['pipeDelimited', { in: 'query', name: 't', style: 'pipeDelimited', explode: false }, ['a', 'b'], '/a?t=a|b'],
    ['spaceDelimited', { in: 'query', name: 't', style: 'spaceDelimited', explode: false }, ['a', 'b'], '/a?t=a%20b'],
    ['deepObject', { in: 'query', name: 'f', style: 'deepObject' }, { a: 1, b: 'x' }, '/a?f[a]=1&f[b]=x'],
    ['exploded objects', { in: 'query', name: 'f' }, { a: 1, b: 'x' }, '/a?a=1&b=x'],
  ])
    it(`parameters in the query have the style of the specification: ${title}`, async () => {
      const { operation } = await firstOf(
        { parameters: [{ required: true, example: value, schema: {}, ...parameter }] },
        { method: 'get' },
      );
      expect(operation.get).to.equal(url);
    });

  for (const [style, explode, value, url] of [
    ['simple', false, ['a', 'b'], '/a,b'],
    ['label', true, ['a', 'b'], '/.a.b'],
    ['matrix', true, ['a', 'b'], '/;ids=a;ids=b'],
    ['matrix', false, ['a', 'b'], '/;ids=a,b'],
    ['simple', true, { x: 1 }, '/x=1'],
    ['label', false, { x: 1 }, '/.x,1'],
  ])
    it(`path parameters have the style ${style}${explode ? ' with explode' : ''}: ${JSON.stringify(value)}`, async () => {
      const parameters = [{ name: 'ids', in: 'path', required: true, style, explode, example: value }];
      const { operation } = await firstOf({ parameters }, { path: '/{ids}', method: 'get' });
      expect(operation.get).to.equal(url);
    });

  for (const [title, schema, value] of [
    ['the example of a schema wins', { type: 'object', example: { a: 1 }, required: ['b'] }, { a: 1 }],
    [
      'required members are enough',
      { required: ['a'], properties: { a: { type: 'integer' }, b: { type: 'string' } } },
      { a: 1 },
    ],
    [
      'without required members there are all',
      { properties: { a: { type: 'boolean' }, b: { type: 'null' } } },
      { a: true, b: null },
    ],
    [
      'members that only the server writes are left out',
      { properties: { id: { readOnly: true }, a: { type: 'string' } } },
      { a: 'a' },
    ],
    [
      'allOf is joined',
      {
        allOf: [
          { required: ['a'], properties: { a: { type: 'number' } } },
          { required: ['b'], properties: { b: { enum: ['x', 'y'] } } },
        ],
      },
      { a: 1, b: 'x' },
    ],
    [
      'the first alternative is taken',
      { oneOf: [{ type: 'null' }, { required: ['a'], properties: { a: { const: 7 } } }] },
      { a: 7 },
    ],
    [
      'examples have the type of their schema, or are none',
      {
        properties: {
          phone: { type: 'string', example: 12345 },
          size: { type: 'integer', example: '7' },
          seats: { type: 'integer', example: 'all' },
          on: { type: 'boolean', default: 'true' },
          tags: { type: 'array', example: '["a"]' },
          words: { type: 'array', items: { type: 'string' }, example: 'a b' },
          more: { type: 'object', example: 'see above' },
          other: { type: 'date', example: 'today' },
        },
      },
      { phone: '12345', size: 7, seats: 1, on: true, tags: ['a'], words: ['a b'], more: {}, other: 'today' },
    ],
    [
      'a required member without a schema has a value',
      { required: ['user', 'age'], properties: { age: { type: 'integer' }, note: { type: 'string' } } },
      { age: 1, user: 'user' },
    ],
    [
      'limits of numbers and texts hold',
      {
        required: ['n', 't', 'share', 'digit'],
        properties: {
          n: { type: 'integer', minimum: 10, multipleOf: 4 },
          t: { type: 'string', minLength: 8 },
          share: { type: 'number', minimum: 0, maximum: 1, exclusiveMaximum: true },
          digit: { type: 'integer', exclusiveMaximum: 1 },
        },
      },
      { n: 12, t: 'txxxxxxx', share: 0.5, digit: 0 },
    ],
    [
      'formats have values',
      { required: ['a', 'b'], properties: { a: { format: 'date' }, b: { type: 'string', format: 'uuid' } } },
      { a: '2026-01-31', b: '#{uuid}' },
    ],
    [
      'text of the document that looks like a token is none',
      { required: ['a'], properties: { a: { example: '#{INDEX}' } } },
      { a: '#{hash}{INDEX}' },
    ],
    [
      'types of OpenAPI 3.1 may be lists',
      { required: ['a'], properties: { a: { type: ['null', 'integer'] } } },
      { a: 1 },
    ],
    [
      'the names of prototypes are names',
      JSON.parse(
        '{"required":["__proto__","constructor"],"properties":{"__proto__":{"type":"integer"},"constructor":{"type":"integer"}}}',
      ),
      JSON.parse('{"__proto__":1,"constructor":1}'),
    ],
  ])
    it(`bodies are made from schemas: ${title}`, async () =>
      expect(JSON.stringify(await bodyFor(schema))).to.equal(JSON.stringify(value)));

  it('values that are made of their names are no secrets, passwords and examples are', async () => {
    const properties = { key_prefix: { type: 'string' }, passwd: { type: 'string' }, token: { example: 'abcdefgh' } };
    expect(await bodyFor({ required: Object.keys(properties), properties })).to.deep.equal({
      key_prefix: 'key_prefix',
      passwd: '#{env.PASSWORD}',
      token: '#{env.TOKEN}',
    });
  });

  it('schemas that join themselves many times, and long chains of schemas, are read', async () => {
    const refs = (name) => new Array(20).fill({ $ref: `#/components/schemas/${name}` });
    const chain = Array.from({ length: 5000 }, (_, i) => [`C${i}`, { oneOf: refs(`C${i + 1}`).slice(0, 1) }]);
    const schemas = { Self: { allOf: refs('Self'), properties: { id: {} } }, ...Object.fromEntries(chain) };
    const bodyOf = (name) => ({ content: { 'application/json': { schema: refs(name)[0] } } });
    const post = { requestBody: bodyOf('Self'), responses: { 201: { description: '', ...bodyOf('Self') } } };
    const paths = { '/a': { post }, '/a/{id}': { get: {} }, '/b': { post: { requestBody: bodyOf('C0') } } };
    const draft = await read(JSON.stringify({ openapi: '3.0.0', paths, components: { schemas } }), options);
    expect(flowOf(draft).main.map(({ post, get, capture }) => [post ?? get, capture])).to.deep.equal([
      ['/a', { aId: '$.id' }],
      ['/a/#{aId}', undefined],
      ['/b', undefined],
    ]);
  });

  it('a path with more than 4096 characters is reported', async () => {
    const paths = { ['/a'.repeat(50_000)]: { get: {} }, '/b': { get: {} } };
    const draft = await read(JSON.stringify({ openapi: '3.0.0', paths }), options);
    expect(flowOf(draft).main.map(({ get }) => get)).to.deep.equal(['/b']);
    expect(draft.skipped.map(({ why }) => why)).to.deep.equal(['it has more than 4096 characters']);
  });

  it('circles of references end', async () => {
    const Node = {
      required: ['name', 'next'],
      properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } },
    };
    expect(await bodyFor({ $ref: '#/components/schemas/Node' }, { schemas: { Node } })).to.deep.equal({
      name: 'name #{INDEX}',
    });
    const Loop = { $ref: '#/components/schemas/Loop' };
    expect(await bodyFor(Loop, { schemas: { Loop } })).to.deep.equal({});
    expect(await bodyFor({ $ref: '#/nowhere/at/all' })).to.deep.equal({});
  });

  for (const [title, scheme, property, value] of [
    ['bearer', { type: 'http', scheme: 'bearer' }, 'headers', { Authorization: 'Bearer #{env.TOKEN}' }],
    ['oauth2', { type: 'oauth2', flows: {} }, 'headers', { Authorization: 'Bearer #{env.TOKEN}' }],
    ['basic', { type: 'http', scheme: 'basic' }, 'auth', { user: '#{env.USER_NAME}', pass: '#{env.PASSWORD}' }],
    [
      'a key in a field',
      { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      'headers',
      { 'X-Api-Key': '#{env.API_KEY}' },
    ],
    ['a key in a cookie', { type: 'apiKey', in: 'cookie', name: 'sid' }, 'cookies', { sid: '#{env.SID}' }],
    ['a key in the query', { type: 'apiKey', in: 'query', name: 'key' }, 'post', '/a?key=#{env.KEY}'],
  ])
    it(`security schemes are tokens of the environment: ${title}`, async () => {
      const draft = await draftOf(
        withOperation({}, { security: [{ s: [] }], components: { securitySchemes: { s: scheme } } }),
      );
      expect(operationsOf(draft)[0].operation[property]).to.deep.equal(value);
      expect(draft.environment).to.not.have.lengthOf(0);
    });

  for (const [title, content, expected] of [
    [
      'forms',
      { 'application/x-www-form-urlencoded': { schema: { required: ['a'], properties: { a: { type: 'integer' } } } } },
      { form: { a: 1 } },
    ],
    [
      'files',
      { 'multipart/form-data': { schema: { properties: { f: { type: 'string', format: 'binary' } } } } },
      { formData: { f: { value: 'content', filename: 'f.txt' } } },
    ],
    ['text', { 'text/plain': { example: 'hello' } }, { headers: { 'Content-Type': 'text/plain' }, body: 'hello' }],
    [
      'JSON before others',
      { 'application/xml': {}, 'application/json': { examples: { one: { value: { b: 1 } } } } },
      { json: { b: 1 } },
    ],
    [
      'references to examples',
      {
        'text/html': { value: { b: 2 } },
        'application/json': {
          examples: { none: { externalValue: 'x' }, one: { $ref: '#/paths/~1a/post/requestBody/content/text~1html' } },
        },
      },
      { json: { b: 2 } },
    ],
    [
      'unique numbers and maps',
      {
        'application/json': {
          schema: {
            properties: {
              ids: { items: { type: 'integer' }, minItems: 2, uniqueItems: true },
              map: { additionalProperties: { type: 'integer' } },
            },
          },
        },
      },
      { json: { ids: [1, 2], map: {} } },
    ],
    [
      'types that end with +json',
      { 'application/hal+json': { example: {} } },
      { headers: { 'Content-Type': 'application/hal+json' }, json: {} },
    ],
  ])
    it(`bodies have the type of the document: ${title}`, async () => {
      const { operation } = await firstOf({ requestBody: { content } });
      expect(operation).to.deep.equal({ post: '/a', ...expected, expect: { status: 200 } });
    });

  it('reads Swagger 2', async () => {
    const draft = await draftOf({
      swagger: '2.0',
      host: 'api.example',
      basePath: '/v2',
      schemes: ['http', 'https'],
      consumes: ['application/json'],
      securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'api_key' } },
      security: [{ key: [] }],
      definitions: {
        Pet: {
          required: ['name'],
          properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string', example: 'doggie' } },
        },
      },
      paths: {
        '/pets': {
          get: {
            parameters: [
              {
                in: 'query',
                name: 'tags',
                required: true,
                type: 'array',
                items: { type: 'string' },
                collectionFormat: 'multi',
              },
            ],
            responses: { 200: { schema: { type: 'array', items: { $ref: '#/definitions/Pet' } } } },
          },
          post: {
            parameters: [{ in: 'body', name: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }],
            responses: { 201: { schema: { $ref: '#/definitions/Pet' } } },
          },
        },
        '/pets/{petId}': {
          delete: {
            parameters: [{ in: 'path', name: 'petId', type: 'integer', required: true }],
            responses: { 204: {} },
          },
        },
        '/upload': {
          post: {
            consumes: ['multipart/form-data'],
            parameters: [{ in: 'formData', name: 'file', type: 'file', required: true }],
            responses: { 200: {} },
          },
        },
      },
    });
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'https://api.example',
      headers: { api_key: '#{env.API_KEY}' },
      main: [
        { post: '/v2/pets', json: { name: 'doggie' }, expect: { status: 201 }, capture: { petId: '$.id' } },
        { get: '/v2/pets?tags=tag', expect: { status: 200 } },
        { delete: '/v2/pets/#{petId}', expect: { status: 204 } },
        { post: '/v2/upload', formData: { file: { value: 'content', filename: 'file.txt' } }, expect: { status: 200 } },
      ],
    });
  });

  it('reads what Swagger 2 has by default: lists with commas, any type of a body, a base path without a slash', async () => {
    const draft = await draftOf({
      swagger: '2.0',
      host: 'api.example',
      basePath: 'v1',
      consumes: ['*/*'],
      paths: {
        '/a': {
          parameters: [{ in: 'body', name: 'all', schema: { example: { of: 'path' } } }],
          post: {
            parameters: [
              { in: 'query', name: 'ids', required: true, type: 'array', items: { type: 'integer' }, default: [1, 2] },
              { in: 'body', name: 'own', schema: { example: { of: 'operation' } } },
            ],
            responses: { 200: {} },
          },
        },
      },
    });
    expect(flowOf(draft)).to.deep.include({
      baseUrl: 'http://api.example',
      main: [{ post: '/v1/a?ids=1,2', json: { of: 'operation' }, expect: { status: 200 } }],
    });
  });

  it('--base-url replaces the server: its path, too, if it has one', async () => {
    const document = {
      ...withOperation({}),
      servers: [
        {
          url: '{scheme}://{host}/v1',
          variables: { scheme: { default: 'https' }, host: { enum: ['a.example', 'b.example'], default: 'b.example' } },
        },
      ],
    };
    const flows = await Promise.all(
      [undefined, 'http://localhost:1', 'http://localhost:1/api/'].map(async (baseUrl) =>
        flowOf(await draftOf(document, { baseUrl })),
      ),
    );
    expect(flows.map(({ baseUrl, main: [{ post }] }) => [baseUrl, post])).to.deep.equal([
      ['https://b.example', '/v1/a'],
      ['http://localhost:1', '/v1/a'],
      ['http://localhost:1', '/api/a'],
    ]);
  });

  it('--check-schema expects the response schema, with its definitions', async () => {
    const Tree = {
      type: 'object',
      nullable: true,
      properties: {
        children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        required: { $ref: '#/components/schemas/Tree' },
      },
    };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } };
    const document = withOperation({ responses: { 200: { content } } }, { components: { schemas: { Tree } } });
    const [{ operation }] = operationsOf(await draftOf(document, { checkSchema: true }));
    expect(operation.expect.schema).to.deep.equal({
      $ref: '#/$defs/Tree',
      $defs: {
        Tree: {
          type: ['object', 'null'],
          properties: {
            children: { type: 'array', items: { $ref: '#/$defs/Tree' } },
            required: { $ref: '#/$defs/Tree' },
          },
        },
      },
    });
  });

  describe('other documents', () => {
    let folder;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      mkdirSync(join(folder, 'api'));
      writeFileSync(
        join(folder, 'api', 'schemas.yaml'),
        'Item:\n  required: [a]\n  properties:\n    a: { $ref: "#/A" }\nA: { type: integer }\n',
      );
      mkdirSync(join(folder, 'api', '..shared'));
      writeFileSync(join(folder, 'api', '..shared', 'a.yaml'), 'A: { type: integer }\n');
      writeFileSync(join(folder, 'api', 'circle.yaml'), 'A: { example: &a { a: *a } }\n');
      writeFileSync(join(folder, 'secret.json'), '{"A":{"example":"secret"}}');
    });
    after(() => rmSync(folder, { recursive: true, force: true }));
    const bodyOf = async ($ref, more) => {
      const document = withOperation({ requestBody: { content: { 'application/json': { schema: { $ref } } } } });
      const draft = await read(JSON.stringify(document), {
        from: join(folder, 'api', 'api.json'),
        folder: join(folder, 'api'),
        ...more,
      });
      return { json: operationsOf(draft)[0].operation.json, skipped: draft.skipped };
    };

    it('references to files below the folder are followed', async () =>
      expect(await bodyOf('./schemas.yaml#/Item')).to.deep.equal({ json: { a: 1 }, skipped: [] }));

    it('a folder whose name begins with two dots is below the folder', async () =>
      expect(await bodyOf('./..shared/a.yaml#/A')).to.deep.equal({ json: 1, skipped: [] }));

    for (const [ref, why] of [
      ['../secret.json#/A', /outside of the folder/],
      ['file:///etc/passwd', /outside of the folder/],
      ['http://127.0.0.1:9/a.json', /add --remote-refs/],
      ['ftp://x/a', /neither a file nor a URL/],
      ['./missing.json', /no such file/],
      ['./circle.yaml#/A', /an alias may be a part of itself/],
    ])
      it(`${ref} is not read, and named`, async () => {
        const { json, skipped } = await bodyOf(ref);
        expect(json).to.deep.equal({});
        expect(skipped[0].why).to.match(why);
      });

    itSlow('--remote-refs ends a download when it is too long, after decompression', async () => {
      const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024, ' '));
      let sent = 0;
      let isOpen = true;
      const endless = (_, res) => {
        res.writeHead(200, { 'content-encoding': 'gzip' });
        const write = () => {
          while (isOpen && sent < 1000 && res.write(bomb)) sent++;
        };
        res.on('close', () => (isOpen = false)).on('drain', write);
        write();
      };
      await serving(endless, async (url) => {
        const { skipped } = await bodyOf(`${url}/a.json`, { remoteRefs: true });
        expect(skipped[0].why).to.equal('it is too long');
        await until(() => !isOpen);
        expect(sent).to.be.below(1000);
      });
    });

    itSlow('all documents together have a bound', async () => {
      const half = `{"A": {"$ref": "/b.json#/A"}, "x": "${'x'.repeat(40 * 1024 * 1024)}"}`;
      await serving(
        (_, res) => res.end(half),
        async (url, seen) => {
          const { skipped } = await bodyOf(`${url}/a.json#/A`, { remoteRefs: true });
          expect(seen).to.have.lengthOf(2);
          expect(skipped[0]).to.deep.equal({ what: `$ref to ${url}/b.json`, why: 'it is too long' });
        },
      );
    });

    it('a document that was downloaded reads no files', async () => {
      const file = pathToFileURL(join(folder, 'secret.json')).href;
      await serving(
        (_, res) => res.end(JSON.stringify({ A: { $ref: `${file}#/A` } })),
        async (url) => {
          const { json, skipped } = await bodyOf(`${url}/a.json#/A`, { remoteRefs: true });
          expect(json).to.not.equal('secret');
          expect(skipped[0]).to.deep.equal({
            what: `$ref to ${file}`,
            why: 'a document that was downloaded reads no files',
          });
        },
      );
    });

    it('--remote-refs reads files outside of the folder', async () =>
      expect(await bodyOf('../secret.json#/A', { remoteRefs: true })).to.deep.include({ json: 'secret' }));
  });

  for (const [title, text, message] of [
    [
      'YAML bombs',
      `openapi: 3.0.0\na: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, i) => `${name}: &${name} [${new Array(9).fill(`*${'abcdefghi'[i]}`)}]`).join('\n')}\npaths: {}\n`,
      /alias/i,
    ],
    ['damaged JSON', '{"openapi": "3.0.0", "paths": {', /shop\.json:1:\d+/],
    ['documents without paths', '{"openapi":"3.1.0"}', /has no paths/],
    ['documents without operations', '{"openapi":"3.1.0","paths":{"/a":{}}}', /has no operations/],
  ])
    it(`refuses ${title}`, async () => {
      const error = await read(text, options).then(
        () => expect.fail('it was accepted'),
        (thrown) => thrown,
      );
      expect(error).to.include({ code: 'E_FLOW_FILE' });
      expect(error.message).to.match(message);
    });

  for (const value of [
    null,
    7,
    'x',
    [],
    [null],
    { get: null },
    { $ref: '#/paths' },
    { get: { responses: [], parameters: {}, tags: 'x' } },
    { get: { requestBody: 7, security: [null], responses: { 200: { content: { a: null } } } } },
  ])
    it(`an invalid path item is no crash: ${JSON.stringify(value)}`, async () => {
      const document = {
        openapi: '3.0.0',
        servers: 7,
        components: null,
        paths: { '/ok': { get: {} }, '/x/{y}': value },
      };
      expect(titles(await draftOf(document))).to.include('GET /ok');
    });

  it('the same document gives the same text', async () =>
    expect(writeFlow(await draftOf(SHOP), 'yaml')).to.equal(writeFlow(await draftOf(SHOP), 'yaml')));

  it('a parameter with content is sent as JSON, after a query that the path has', async () => {
    const js = { name: 'js', in: 'query', required: true, content: { 'application/json': { example: { a: '&' } } } };
    const { operation } = await firstOf({ parameters: [js] }, { path: '/q?fixed=1', method: 'get' });
    expect(operation.get).to.equal('/q?fixed=1&js=%7B%22a%22%3A%22%26%22%7D');
  });

  it('a path whose $ref leads nowhere is named', async () => {
    const document = withOperation({});
    const paths = { ...document.paths, '/loop': { $ref: '#/paths/~1loop' }, '/gone': { $ref: '#/a' } };
    const { skipped } = await draftOf({ ...document, paths });
    expect(skipped.map(({ what }) => what)).to.deep.equal(['/loop', '/gone']);
  });

  it('a $ref of a parameter or body that leads nowhere is named once, and a path that is no object', async () => {
    const { paths, ...document } = withOperation({
      parameters: [{ $ref: '#/gone' }, { $ref: '#/gone' }],
      requestBody: { $ref: '#/none' },
    });
    const { skipped } = await draftOf({ ...document, paths: { ...paths, '/health': null } });
    expect(skipped).to.deep.equal([
      { what: '$ref to #/gone', why: 'it leads nowhere, or in a circle' },
      { what: '$ref to #/none', why: 'it leads nowhere, or in a circle' },
      { what: '/health', why: 'it is no object' },
    ]);
  });

  it('an operation whose $ref was not read has a comment, wherever it is, and the others have none', async () => {
    const json = (schema) => ({ requestBody: { content: { 'application/json': { schema } } } });
    const inner = { properties: { a: { items: { $ref: '#/gone/inner' } } } };
    for (const [operation, rest] of [
      [{ parameters: [{ $ref: '#/gone/inner' }] }],
      [{ requestBody: { $ref: '#/gone/inner' } }],
      [json(inner)],
      [json({ allOf: [{ $ref: '#/gone/inner' }] })],
      [json({ oneOf: [{ $ref: '#/gone/inner' }] })],
      [{ security: [{ key: [] }] }, { components: { securitySchemes: { key: { $ref: '#/gone/inner' } } } }],
    ]) {
      const { paths, ...document } = withOperation(operation, rest);
      const { phases } = await draftOf({ ...document, paths: { ...paths, '/other': { get: {} } } });
      const text = JSON.stringify(operation);
      expect(phases.main[0].comments, text).to.include('Complete the request: the $ref to #/gone/inner was not read.');
      expect(phases.main[1].comments, text).to.deep.equal([]);
    }
  });

  it('a security scheme that the document does not have is named', async () =>
    expect((await draftOf(withOperation({ security: [{ gone: [] }] }))).dialectNotes.join()).to.include(
      'The security scheme gone (not in the document)',
    ));

  for (const [title, schema, expected] of [
    ['of a choice', { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: 'kind' } }, 'Cat'],
    [
      'of a mapping',
      {
        oneOf: [{ $ref: '#/components/schemas/Cat' }],
        discriminator: { propertyName: 'kind', mapping: { d: 'Dog', c: '#/components/schemas/Cat' } },
      },
      'c',
    ],
    ['of a schema with a parent', { $ref: '#/components/schemas/Lizard' }, 'Lizard'],
    ['of Swagger 2', { $ref: '#/components/schemas/Fish' }, 'Fish'],
    ['that has a value of its own', { $ref: '#/components/schemas/Ape' }, 'the-ape'],
  ])
    it(`a discriminator has the name of its schema: ${title}`, async () => {
      const kind = { required: ['kind'], properties: { kind: { type: 'string' } } };
      const below = (parent) => ({ allOf: [{ $ref: `#/components/schemas/${parent}` }] });
      const schemas = {
        Cat: kind,
        Pet: { ...kind, discriminator: { propertyName: 'kind' } },
        Lizard: below('Pet'),
        OldPet: { ...kind, discriminator: 'kind' },
        Fish: below('OldPet'),
        Ape: { allOf: [...below('Pet').allOf, { properties: { kind: { enum: ['the-ape'] } } }] },
      };
      expect(await bodyFor(schema, { schemas })).to.deep.equal({ kind: expected });
    });

  for (const [title, schema, expected] of [
    ['texts that differ', { items: { type: 'string' }, minItems: 3, uniqueItems: true }, ['item', 'item2', 'item3']],
    ['numbers that differ', { items: { type: 'integer' }, minItems: 3, uniqueItems: true }, [1, 2, 3]],
    ['the least number of items', { items: { type: 'boolean' }, minItems: 7 }, new Array(7).fill(true)],
    ['items of their own', { type: 'array', prefixItems: [{ const: 'a' }, { type: 'integer' }] }, ['a', 1]],
    ['a multiple above a limit', { type: 'number', multipleOf: 0.5, minimum: 0.7 }, 1],
    [
      'the least number of members',
      { additionalProperties: { type: 'integer' }, minProperties: 2 },
      { key1: 1, key2: 1 },
    ],
  ])
    it(`a sample fits its schema: ${title}`, async () => expect(await bodyFor(schema)).to.deep.equal(expected));

  it('a value of another path, a list of a form, and a path with a sign of fragments fit the document', async () => {
    const format = (...all) => [{ name: 'format', in: 'path', required: true, schema: { type: 'string', enum: all } }];
    const schema = { properties: { n: { type: 'array', items: { type: 'string', enum: ['a b'] } } } };
    const form = { content: { 'application/x-www-form-urlencoded': { schema } } };
    const query = [{ name: 'v', in: 'query', required: true, schema: { enum: ['1'] } }];
    const draft = await draftOf({
      openapi: '3.0.3',
      info: { title: 't', version: '1' },
      servers: [{ url: 'http://a' }],
      paths: {
        '/{format}/x': { get: { parameters: format('XML') } },
        '/{format}/y': { get: { parameters: format('xml') } },
        '/z#other': { get: { parameters: query } },
        '/form': { post: { requestBody: form } },
      },
    });
    const { main, vars } = flowOf(draft);
    expect(vars).to.deep.equal({ format: 'XML' });
    expect(main.flatMap(({ get, form: sent }) => get ?? sent).sort()).to.deep.equal(
      ['/#{format}/x', '/xml/y', '/z?v=1', 'n=a%20b'].sort(),
    );
  });

  it('an empty default of a path parameter is no value of it', async () => {
    const parameters = [{ name: 'list', in: 'path', required: true, schema: { type: 'string', default: '' } }];
    const draft = await draftOf(withOperation({ parameters }, { path: '/{list}/members', method: 'get' }));
    expect(Object.values(draft.properties.vars)).to.deep.equal(['list']);
  });

  it('a required member that contains itself is left out, and named', async () => {
    const schemas = { Node: { required: ['parent'], properties: { parent: { $ref: '#/components/schemas/Node' } } } };
    const requestBody = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } };
    const { operation, comments } = await firstOf({ requestBody }, { components: { schemas } });
    expect(operation.json).to.deep.equal({});
    expect(comments.join()).to.include('Check the value: parent is required, and contains itself.');
  });

  itSlow('operations above the limit of a document are counted', () => {
    const paths = Object.fromEntries(Array.from({ length: 10_002 }, (_, i) => [`/${i}`, { get: {} }]));
    const references = new References({ paths }, { folder: tmpdir(), from: 'a' });
    expect(readEndpoints({ openapi: '3.0.3', paths }, references).endpoints).to.have.length(10_000);
    expect(references.problems).to.deep.equal([{ what: '2 operations', why: 'at most 10000 of a document are read' }]);
  });

  it('--base-url replaces the servers of operations, too, and names these', async () => {
    const document = withOperation({ servers: [{ url: 'http://files/v2' }] });
    const draft = await draftOf(document, { baseUrl: 'http://test/v9' });
    expect(operationsOf(draft)[0].operation.post).to.equal('/v9/a');
    expect(draft.dialectNotes.join()).to.match(/which --base-url replaces, too: POST \/a\./);
  });
});
