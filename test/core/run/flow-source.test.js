import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';

import benchrest from '../../../index.js';
import { FORMATS } from '../../../lib/core/flow/source/formats/index.js';

import { findUncloneable, flowFile, readSource } from '../../../lib/core/run/flow-source.js';

const HERE = new URL('../../support/flows/worker.mjs', import.meta.url);

describe('run/flow-source', () => {
  const files = [
    [HERE, true, 'a file: URL object is a flow file'],
    [HERE.href, true, 'the text of a file: URL is a flow file'],
    [HERE.pathname, true, 'an absolute path is a flow file'],
    ['test/support/flows/worker.mjs', true, 'a path relative to the working directory is a flow file'],
    ['test/support/flows/nowhere.mjs', false, 'a path of a missing file is a relative URL'],
    ['/items.json', false, 'an absolute path of a missing file is a relative URL'],
    ['http://127.0.0.1/flow.js', false, 'an http: URL that ends in .js is a URL'],
    [new URL('http://127.0.0.1/flow.js'), false, 'an http: URL object that ends in .js is a URL'],
    [{ get: 'flow.js' }, false, 'an object is the flow itself'],
  ];
  for (const [flow, isFile, why] of files) it(why, () => expect(flowFile(flow) !== null).to.equal(isFile));

  describe('files of every format', () => {
    let folder;
    before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
    after(() => rmSync(folder, { recursive: true, force: true }));

    for (const extension of FORMATS.flatMap(({ extensions }) => extensions)) {
      it(`a path and a file: URL that end in ${extension} are flow files`, () => {
        const path = join(folder, `flow${extension}`);
        writeFileSync(path, '');
        expect([path, pathToFileURL(path).href, pathToFileURL(path)].map(flowFile)).to.deep.equal([path, path, path]);
        expect(flowFile(path.toUpperCase().replace(folder.toUpperCase(), folder))).to.equal(null);
      });
    }

    for (const make of [(path) => path, pathToFileURL]) {
      it(`benchrest() imports a .ts flow given as ${make === pathToFileURL ? 'a URL' : 'a path'}`, async () => {
        const path = join(folder, 'typed.ts');
        writeFileSync(path, "const url: string = 'http://127.0.0.1:9/'; export default [url];");
        const run = benchrest(make(path), { limit: 1, iterations: 1 });
        if (process.features.typescript) expect((await run).stats.iterations.started).to.equal(1);
        else expect(await run.catch((error) => error)).to.have.property('code', 'E_FLOW_FILE');
      });
    }
  });

  const free = [
    'http://h/',
    ['/a', { post: '/b', json: { a: [1, null] }, body: Buffer.from('x') }],
    Object.assign(Object.create(null), { main: [] }),
    [{ get: '/a', capture: { page: { text: /page=(\d+)/i } } }],
  ];
  for (const flow of free)
    it(`${JSON.stringify(flow)} can be sent to another thread`, () => expect(findUncloneable(flow)).to.equal(null));

  it('a flow that contains itself can be sent to another thread', () => {
    const flow = { main: [] };
    flow.main.push(flow);
    expect(findUncloneable(flow)).to.equal(null);
  });

  const bound = [
    [{ main: [{ get: '/', afterHooks: ['a', () => {}] }] }, 'flow.main[0].afterHooks[1] is a function'],
    [{ beforeHooks: [() => {}] }, 'flow.beforeHooks[0] is a function'],
    [[{ get: '/', headers: new Map() }], 'flow[0].headers is a Map'],
    [{ vars: { id: Symbol('id') }, main: [] }, 'flow.vars.id is a symbol'],
    [{ post: '/', formData: { file: process.stdin } }, /^flow\.formData\.file is a \w+/],
  ];
  for (const [flow, where] of bound)
    it(`a flow in which ${where} cannot be sent to another thread`, () =>
      expect(findUncloneable(flow)).to.match(
        where instanceof RegExp ? where : new RegExp(`^${where.replace(/[.[\]]/g, '\\$&')}$`),
      ));

  it('a flow sent to another thread is unchanged, Buffers and regular expressions included', async () => {
    const flow = [
      { post: '/', body: Buffer.from('ab'), json: undefined, ca: ['x', Buffer.from('y')], expect: { text: /a/i } },
    ];
    const { flow: read } = await readSource({ data: structuredClone(flow) });
    expect(read).to.deep.equal(flow);
    expect(Buffer.isBuffer(read[0].ca[1])).to.equal(true);
  });
});
