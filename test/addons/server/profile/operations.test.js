import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import { operationsAt, readFollowed } from '../../../../lib/addons/server/profile/operations.js';
import { readProfiles } from '../../../../lib/addons/server/profile/read.js';
import { bytesOf, cpuProfile } from '../../../support/profiles.js';

const MARKS = fileURLToPath(new URL('../../../../lib/addons/server/preload/operations.cjs', import.meta.url));
const NAMES = ['GET /a', 'GET /b'];

/** The operations of samples; `mark 1` is the call of the second one. `followed`: operations by the time in ms. */
function sharesOf(stacks, followed = {}) {
  const recorded = cpuProfile(stacks);
  for (const node of recorded.nodes) {
    const { callFrame } = node;
    const [, operation] = /^mark (\d)$/.exec(callFrame.functionName) ?? [];
    if (operation !== undefined) {
      callFrame.url = `${MARKS}/${operation}`;
      node.positionTicks = [{ line: 1, ticks: 1 }];
    }
    if (callFrame.functionName === 'emit') callFrame.url = MARKS;
  }
  const times = Object.keys(followed).map((ms) => Number(ms) * 1000);
  const marks = { times: times.map((at, i) => at - (times[i - 1] ?? 0)), operations: Object.values(followed) };
  const one = { name: 'app.js', bytes: bytesOf(recorded), marks: bytesOf(marks) };
  const { operations, total, frames } = readProfiles([one], { folder: '/srv', durationMs: 1000, operations: NAMES });
  if (operations === undefined) return null;
  const values = Object.fromEntries(operations.rows.map(({ name, value }) => [name.at(-1), Math.round(value)]));
  const { others, shared } = operations;
  return { ...values, others, shared, total, frames, rows: operations.rows };
}

const shares = (stacks, followed) => {
  const { total: _total, frames: _frames, rows: _rows, ...values } = sharesOf(stacks, followed);
  return values;
};

describe('operations of a profile', () => {
  it('samples below the mark of an operation belong to it', () => {
    const { rows, total, frames } = sharesOf({
      'emit;mark 0;list@app.js:3': 30,
      'emit;mark 1;save@app.js:9;write@node_modules/pg/index.js:2': 20,
      'emit;mark 2;list@app.js:3': 6,
      'poll@node': 44,
    });
    expect(rows).to.deep.equal([
      { name: 'GET /a', value: 30, direct: 30 },
      { name: 'GET /b', value: 20, direct: 20 },
    ]);
    expect(total).to.equal(100);
    expect(frames.map(({ name }) => name)).not.to.include('mark 0');
  });

  it('the time of a mark itself is that of its caller, and on none of its lines', () => {
    const { frames } = sharesOf({ 'done@app.js:4': 10, 'done@app.js:4;emit;mark 1': 5 });
    expect(frames).to.have.length(1);
    expect(frames[0]).to.include({ name: 'done', self: 15 }).and.not.have.property('hotLine');
  });

  it('a request of no operation is another one', () => {
    expect(shares({ 'emit;mark 0;list@app.js:3': 30, 'emit;mark 2;list@app.js:3': 6 })).to.deep.equal({
      a: 30,
      others: 6,
      shared: 0,
    });
  });

  it('a profile without requests has no operations', () => expect(sharesOf({ 'main@app.js:3': 30 })).to.equal(null));

  /** Ten samples each: functions with fewer than three are not known. */
  const repeated = (stack, times = 10) =>
    Object.fromEntries(Array.from({ length: times }, (_, i) => [`${stack};at${i}@app.js:9${i}`, 1]));

  it('code that runs later belongs to the only operation of its outermost function', () => {
    const known = repeated('emit;mark 0;list@app.js:3');
    expect(shares({ ...known, 'list@app.js:3;render@app.js:7': 50 })).to.include({ a: 60, shared: 0 });
    expect(shares({ ...known, 'other@app.js:5;list@app.js:3': 50 })).to.include({ a: 10 });
  });

  it('a function with two samples says nothing', () => {
    const few = { 'emit;mark 0;list@app.js:3;x@app.js:8': 1, 'emit;mark 0;list@app.js:3;y@app.js:9': 1 };
    expect(shares({ ...few, 'list@app.js:3': 50 })).to.include({ a: 2, shared: 0 });
  });

  it('of a function of several operations, the inner calls decide', () => {
    const both = {
      ...repeated('emit;mark 0;wrap@app.js:1;list@app.js:3'),
      ...repeated('emit;mark 1;wrap@app.js:1;save@app.js:5'),
    };
    expect(shares({ ...both, 'wrap@app.js:1;save@app.js:5': 50, 'wrap@app.js:1': 7 })).to.deep.equal({
      a: 10,
      b: 60,
      others: 0,
      shared: 7,
    });
  });

  it('operations that an inner function excludes get nothing of what its caller was followed in', () => {
    const stacks = {
      ...repeated('wrap@app.js:1', 20),
      ...repeated('emit;mark 1;wrap@app.js:1;pick@app.js:6'),
      ...repeated('emit;mark 2;wrap@app.js:1;pick@app.js:6'),
      'wrap@app.js:1;pick@app.js:6': 50,
    };
    expect(shares(stacks, { 0: 0, 20: -1 })).to.deep.equal({ a: 20, b: 10, others: 10, shared: 50 });
  });

  it('functions above the writing of a response belong to its operation', () => {
    expect(shares({ ...repeated('done@app.js:4;emit;mark 1'), 'done@app.js:4': 50 })).to.include({ b: 60 });
  });

  it('a sample that was followed belongs to its operation, and its functions, too', () => {
    const known = repeated('emit;mark 0;list@app.js:3');
    const stacks = { ...known, ...repeated('save@app.js:5'), 'save@app.js:5;write@app.js:8': 50, 'tick@app.js:7': 20 };
    expect(shares(stacks, { 10: 1, 20: -1 })).to.deep.equal({ a: 10, b: 60, others: 0, shared: 0 });
  });

  it('samples whose times go back have the operation of their time', () =>
    expect(operationsAt([5, 25, 15, 30], { times: [10, 20], operations: [0, 1] })).to.deep.equal([-1, 1, 0, 1]));

  it('operations that other code of a service wrote as followed are ignored', () => {
    const read = (value) => readFollowed(bytesOf(value), 2);
    expect(read({ times: [5, 0, 7], operations: [-1, 2, 3] })).to.deep.equal({
      ...{ times: [5, 5, 12], operations: [-1, 2, -1] },
    });
    for (const value of [
      ...[null, 1, [], {}, { times: 1, operations: 1 }, { times: [1], operations: [] }],
      ...[
        { times: [-1], operations: [0] },
        { times: ['1'], operations: [0] },
        { times: [1], operations: [0.5] },
      ],
      ...[
        { times: [1e300], operations: [0] },
        { times: { length: 1 }, operations: [0] },
      ],
    ])
      expect(read(value), JSON.stringify(value)).to.deep.equal({ times: [], operations: [] });
    expect(readFollowed(Buffer.from('{'), 2)).to.deep.equal({ times: [], operations: [] });
  });

  it('the time of a function of several operations is divided as that of its followed samples', () => {
    const known = { 'emit;mark 0;list@app.js:3': 20, 'emit;mark 1;save@app.js:5': 20 };
    const later = { ...repeated('load@app.js:9', 40), 'load@app.js:9;parse': 200 };
    expect(shares({ ...known, ...later }, { 40: 0, 50: 1, 80: -1 })).to.deep.equal({
      a: 80,
      b: 200,
      others: 0,
      shared: 0,
    });
    expect(shares({ ...known, ...later }, { 40: 0, 45: 1, 50: -1 })).to.deep.equal({
      a: 25,
      b: 25,
      others: 0,
      shared: 230,
    });
  });
});
