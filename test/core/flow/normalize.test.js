import { expect } from 'chai';

import { normalize } from '../../../lib/core/flow/normalize.js';
import { PHASES } from '../../../lib/core/ground/phases.js';
import { createProblems } from '../../../lib/core/ground/problems.js';
import { deepFreeze } from '../../support/serve.js';

/** The normalized form of a frozen flow, and the reported problems. */
function read(raw) {
  const problems = createProblems('E_FLOW');
  const flow = normalize(deepFreeze(raw), problems);
  return { ...flow, said: problems.list.map(({ path, reason }) => `${path}: ${reason}`) };
}
const GENERATOR = 'is a generator function: write an async function without *, and await instead of yield';
const GET = { get: '/' };

describe('flow/normalize', () => {
  const shortcuts = [
    ['/', 'a URL'],
    [GET, 'an operation'],
    [['/'], 'an array of URLs'],
    [[GET], 'an array of operations'],
    [{ main: ['/'] }, 'phases with URLs'],
    [{ main: [GET], before: null, after: undefined }, 'phases, some of them missing'],
  ];
  for (const [raw, what] of shortcuts) {
    it(`${what} is a flow with all phases`, () => {
      const { phases, said, ...rest } = read(raw);
      expect(phases).to.deep.equal({ before: [], beforeMain: [], main: [GET], afterMain: [], after: [] });
      expect(Object.keys(phases)).to.deep.equal(PHASES);
      const empty = {
        scenarios: [],
        headers: {},
        computedHeaders: {},
        beforeHooks: [],
        afterHooks: [],
        tokens: {},
        vars: {},
        data: {},
        iterCtx: {},
        runOptions: {},
        section: null,
        user: { begin: null, end: null },
      };
      expect(rest).to.deep.equal({ baseUrl: undefined, socketPath: undefined, ...empty });
      expect(said).to.deep.equal([]);
    });
  }

  it('an object with method and uri or url is an operation', () => {
    for (const raw of [{ method: 'GET', uri: '/' }, { url: '/' }, { delete: '/', headers: {} }])
      expect(read(raw).phases.main).to.deep.equal([raw]);
  });

  it('hooks beside scenarios are those of the flow, and hooks alone are an operation', () => {
    const beforeHooks = [() => {}];
    expect(read({ beforeHooks, scenarios: { a: { main: ['/'] } } })).to.deep.include({ beforeHooks, said: [] });
    expect(read({ beforeHooks }).phases.main).to.deep.equal([{ beforeHooks }]);
  });

  it('properties next to the phases are kept', () => {
    const beside = {
      baseUrl: 'http://a',
      headers: { a: 'b' },
      beforeHooks: ['x'],
      afterHooks: ['y'],
      runOptions: { limit: 1 },
    };
    expect(read({ main: [], ...beside })).to.deep.include(beside);
  });

  const wrong = [
    [{ main: [], Main: [] }, 'flow.Main: unknown key of a flow, did you mean main?'],
    [{ main: [], beforeEach: [] }, 'flow.beforeEach: is beforeHooks here'],
    [{ main: [], afterEach: () => {} }, 'flow.afterEach: is afterHooks here'],
    [{ main: [], before: 'x' }, 'flow.before: expected an array, got a string: write it in [ ]'],
    [
      { main: [Promise.resolve()] },
      "flow.main[0]: is a promise: write an operation, or a function such as ({ request }) => request('/')",
    ],
    [{ main: [], after: GET }, 'flow.after: expected an array, got an object: write it in [ ]'],
    [{ main: [], data: 'people.csv' }, "flow.data: expected an object such as { users: 'people.csv' }, got a string"],
    [{ main: [], headers: ['a'] }, "flow.headers: expected an object such as { accept: 'text/html' }, got an array"],
    [
      { main: [], runOptions: 'x' },
      "flow.runOptions: expected an object such as { duration: '10s', limit: 20 }, got a string",
    ],
    [{ main: [], beforeHooks: 'x' }, 'flow.beforeHooks: expected an array, got a string: write it in [ ]'],
    [{ main: [null] }, "flow.main[0]: expected an operation such as { get: 'http://localhost:8000/' }"],
    [[GET, [GET]], "flow.main[1]: expected an operation such as { get: 'http://localhost:8000/' }"],
    [[GET, async function* () {}], `flow.main[1]: ${GENERATOR}`],
    [{ main: [function* () {}] }, `flow.main[0]: ${GENERATOR}`],
    [
      { before: [(_all, _next) => {}], main: [GET] },
      'flow.before[0]: is a function with a second parameter, which nothing passes: return a promise instead of calling back; only hooks get next',
    ],
    [[GET, GET, 7], "flow.main[2]: expected an operation such as { get: 'http://localhost:8000/' }"],
  ];
  for (const [raw, reason] of wrong)
    it(`${JSON.stringify(raw)}: ${reason}`, () => expect(read(raw).said).to.deep.equal([reason]));

  it('an invalid operation keeps its index, so that locations stay right', () => {
    expect(read(['/', 7, '/']).phases.main).to.deep.equal([GET, null, GET]);
  });

  for (const raw of [
    undefined,
    null,
    7,
    true,
    {},
    { before: ['/'] },
    { main: '/' },
    { main: GET },
    { main: null },
    { headers: {} },
    { before: [], get: '/' },
  ]) {
    it(`${JSON.stringify(raw)} has no main`, () =>
      expect(() => read(raw))
        .to.throw()
        .with.property('code', 'E_NO_MAIN'));
  }

  for (const [raw, remedy] of [
    [{ mian: [GET] }, 'rename mian to main'],
    [{ log: {}, x: 1 }, 'its keys are log, x: write { main: '],
    [{ senarios: { buy: [GET] } }, 'rename senarios to scenarios'],
    [{ gte: 'http://localhost/' }, 'it has the key gte: did you mean get?'],
    [{ headers: {}, GET: '/' }, 'it has the key GET: did you mean get?'],
    [{ pots: new URL('http://localhost/'), json: {} }, 'it has the key pots: did you mean post?'],
    [{ ulr: '/', method: 'PUT', before: [] }, 'its keys are ulr, method, before: write { main: '],
    [{ opts: {} }, 'its keys are opts: write { main: '],
    [{ path: '/' }, 'its keys are path: write { main: '],
    [{}, 'write { main: '],
    [{ main: 'x' }, 'main is a string: write main: '],
  ]) {
    it(`the error about ${JSON.stringify(raw)} has the remedy: ${remedy}`, () =>
      expect(() => read(raw)).to.throw(remedy));
  }
});
