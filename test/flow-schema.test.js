import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Ajv from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { parse } from 'yaml';

import { HOOKS } from '../lib/core/hooks/index.js';
import { PROPERTIES } from '../lib/core/flow/properties.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { ROOT } from './support/command.js';
import { compiledFlow } from './support/compiled-flow.js';

const schema = JSON.parse(readFileSync(join(ROOT, 'flow.schema.json'), 'utf8'));
const isFlow = new Ajv({
  allErrors: true,
  allowUnionTypes: true,
  strictRequired: false,
  formats: { 'date-time': true },
}).compile(schema);
const URL = 'http://127.0.0.1/';
/** Reports whether bench-rest itself accepts a flow. */
const isTaken = (flow) => {
  try {
    compiledFlow(flow);
    return true;
  } catch {
    return false;
  }
};

describe('flow.schema.json', () => {
  it('contains every property, hook and option', () => {
    const { operation, hooks, runOptions } = schema.$defs;
    const expressible = Object.keys(PROPERTIES).filter((name) => PROPERTIES[name].schema !== null);
    expect(Object.keys(operation.properties)).to.have.members(expressible);
    expect(hooks.items.enum).to.have.members(HOOKS.map(({ name }) => name));
    const ofData = RUN_OPTIONS.filter(({ name, reaches }) => !reaches && !['target', 'signal', 'trace'].includes(name));
    expect(Object.keys(runOptions.properties)).to.have.members(ofData.map(({ name }) => name));
  });

  const right = [
    URL,
    [URL, { put: URL, json: null }],
    { get: URL },
    { method: 'PUT', uri: URL, body: 'x' },
    {
      main: [URL],
      before: [{ post: URL, form: { a: 1 }, pause: [1, '2s'] }],
      runOptions: { limit: 5, rate: '30/m', stages: ['1s:5'], warmup: '1s', workers: 'auto' },
      thresholds: { p99: ['<1s'] },
    },
    { $schema: './node_modules/bench-rest/flow.schema.json', main: [URL] },
    { main: [{ get: URL, afterHooks: ['verify2XX'], headers: { a: ['x', 1] }, auth: { bearer: 'x' } }], baseUrl: URL },
    {
      get: URL,
      expect: {
        status: [200, '3xx'],
        headers: { etag: '*', age: { lt: 5 } },
        text: { length: { gt: 0 } },
        within: '1s',
      },
    },
    { get: URL, expect: [{ name: 'is there', status: '2xx, 404' }, { body: 'x' }] },
    { ws: 'ws://127.0.0.1/', send: 'x', receive: [{ json: { a: 1 } }, 'y'] },
    {
      get: URL,
      expect: { json: { '$.a': { gte: 1 } } },
      capture: { id: '$.id', tag: { header: 'etag', default: null } },
    },
  ];
  for (const flow of right) {
    it(`${JSON.stringify(flow)} is valid for the schema and for bench-rest`, () => {
      expect(isFlow(flow), JSON.stringify(isFlow.errors)).to.equal(true);
      expect(isTaken(flow)).to.equal(true);
    });
  }

  const wrong = [
    { get: URL, expect: 200 },
    { get: URL, expect: { json: { a: 1 } } },
    { get: URL, expect: { json: { '$.a': { above: 1 } } } },
    { get: URL, expect: { status: [200, 'ok'] } },
    { ws: 'ws://127.0.0.1/', expect: { status: 101 } },
    { get: URL, capture: { 'a-b': '$.a' } },
    { get: URL, capture: { a: { default: 1 } } },
    { get: URL, capture: { a: { header: 'x', text: 'y' } } },
    { get: URL, capture: { a: { cookie: '' } } },
    {},
    5,
    null,
    { mian: [URL] },
    { main: URL },
    { main: [{ get: URL, haeders: {} }] },
    { main: [{ json: 1 }] },
    { main: [{ get: 5 }] },
    { main: [{ get: URL, afterHooks: ['verify2xx'] }] },
    { main: [{ get: URL, timeout: true }] },
    { main: [{ get: URL, maxRedirects: -1 }] },
    { main: [{ get: URL, headers: ['a'] }] },
    { main: [{ get: URL, pause: 'long' }] },
    { get: URL, expect: { stats: 200 } },
    { get: URL, expect: { status: '2x' } },
    { get: URL, expect: { text: { gte: [] } } },
    { get: URL, expect: [{ headers: { age: {} } }] },
  ];
  for (const flow of wrong) {
    it(`${JSON.stringify(flow)} is invalid for the schema and for bench-rest`, () => {
      expect(isFlow(flow)).to.equal(false);
      expect(isTaken(flow)).to.equal(false);
    });
  }

  it('accepts the YAML example', () => {
    expect(
      isFlow(parse(readFileSync(join(ROOT, 'examples/items.yaml'), 'utf8'))),
      JSON.stringify(isFlow.errors),
    ).to.equal(true);
  });
});
