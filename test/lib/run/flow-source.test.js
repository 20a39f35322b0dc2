import { expect } from 'chai';

import { findBound, flowFile, readSource } from '../../../lib/run/flow-source.js';

const HERE = new URL('../../support/flows/worker.mjs', import.meta.url);

describe('run/flow-source', () => {
  const files = [
    [HERE, true, 'a file: URL'],
    [HERE.href, true, 'as text'],
    [HERE.pathname, true, 'a path'],
    ['test/support/flows/worker.mjs', true, 'one that is relative to the folder one is in'],
    ['test/support/flows/nowhere.mjs', false, 'a path at which nothing is may be a relative URL'],
    ['/items.json', false, 'so may this'],
    ['http://127.0.0.1/flow.js', false, 'a URL is a URL'],
    [new URL('http://127.0.0.1/flow.js'), false, 'also as an object'],
    [{ get: 'flow.js' }, false, 'an object is the flow itself'],
  ];
  for (const [flow, isFile, why] of files) it(why, () => expect(flowFile(flow) !== null).to.equal(isFile));

  const free = [
    'http://h/',
    ['/a', { post: '/b', json: { a: [1, null] }, body: Buffer.from('x') }],
    Object.assign(Object.create(null), { main: [] }),
  ];
  for (const flow of free) it(`${JSON.stringify(flow)} can go anywhere`, () => expect(findBound(flow)).to.equal(null));

  it('one that holds itself too', () => {
    const flow = { main: [] };
    flow.main.push(flow);
    expect(findBound(flow)).to.equal(null);
  });

  const bound = [
    [{ main: [{ get: '/', afterHooks: ['a', () => {}] }] }, 'flow.main[0].afterHooks[1] is a function'],
    [{ beforeEach: [() => {}] }, 'flow.beforeEach[0] is a function'],
    [[{ get: '/', headers: new Map() }], 'flow[0].headers is a Map'],
    [{ post: '/', formData: { file: process.stdin } }, /^flow\.formData\.file is a \w+/],
  ];
  for (const [flow, where] of bound)
    it(`${where} cannot`, () =>
      expect(findBound(flow)).to.match(
        where instanceof RegExp ? where : new RegExp(`^${where.replace(/[.[\]]/g, '\\$&')}$`),
      ));

  it('data arrives as it was, Buffers as Buffers', async () => {
    const flow = [{ post: '/', body: Buffer.from('ab'), json: undefined, ca: ['x', Buffer.from('y')] }];
    const read = await readSource({ data: structuredClone(flow) });
    expect(read).to.deep.equal(flow);
    expect(Buffer.isBuffer(read[0].ca[1])).to.equal(true);
  });
});
