import { compileFunction } from 'node:vm';

import { expect } from 'chai';

import { sharedVariable } from '../../../lib/addons/variables/shared-variables.js';

const BEFORE = 'flow.before[0].afterHooks[0]';
const refused = (name, changedBy = BEFORE, readBy = 'flow.main[0].get') => `refused: ${name} ${changedBy} ${readBy}`;
const noticed = (...names) => refused(...names).replace('refused', 'notice');

const judge = (flow, text) => {
  const shared = sharedVariable(flow, () => text);
  if (shared === null) return 'nothing';
  const { name, changedBy, readBy, isSure } = shared;
  return isSure ? refused(name, changedBy, readBy) : noticed(name, changedBy, readBy);
};

/** Judges a flow in the text of an ES module. */
const judgeModule = async (text) => {
  const { default: exported } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return judge(typeof exported === 'function' ? await exported({}) : exported, text);
};

/** A module with a hook of before and a URL of main. */
const module = (parts, change, read, more = '') => `${parts}
  export default { before: [{ get: '/', afterHooks: [${change}] }], main: [{ get: ${read}${more} }] };`;

const rows = (title, expected, cases) => {
  for (const [what, text] of cases)
    it(`${title} ${what}`, async () => expect(await judgeModule(text)).to.equal(expected));
};

describe('variables/shared-variables', () => {
  const token = (change, read = '() => token', parts = 'let token;') => module(parts, change, read);
  const state = (change, read = '() => state.id', init = '{}') => module(`const state = ${init};`, change, read);

  rows('refuses a variable that before', refused('token'), [
    ['sets', token('() => (token = 1)')],
    ['counts', token('() => void token++')],
    ['takes out of an object', token('(all) => ({ body: { token } } = all)')],
    ['takes out of a list with a default', token('(all) => void ([token = 1] = all.list)')],
    ['sets in a nested function', token('() => [1].forEach(() => (token = 1))')],
    ['sets in a method', token('...[{ hook() { token = 1; } }.hook]')],
    ['sets in an async function', token('async (all) => { token = await all.token; }')],
    ['sets by for … of', token('(all) => { for (token of all.list); }')],
    ['sets by for … in', token('(all) => { for (token in all.list); }')],
    ['sets beside an inner variable of the name', token('() => { { const token = 2; void token; } token = 1; }')],
    ['sets, and main reads beside an inner one', token('() => (token = 1)', '() => [1].map((token) => token) + token')],
    ['sets, and main reads as a default', token('() => (token = 1)', '({ a = token } = {}) => a')],
    [
      'sets, and main reads as a computed key',
      token('(all) => (token = all)', '(all) => { const { [token]: a } = all; return a; }'),
    ],
    [
      'sets, and main reads before it sets',
      module('let token;', '() => (token = 1)', '() => token', ', afterHooks: [() => (token = 2)]'),
    ],
    ['sets lazily without a value', token('() => (token ??= 1)')],
    [
      'empties, and main reads in a hook',
      token('() => (token = 1)', '(all) => { all.url = token; return "/"; }', 'let token = "";'),
    ],
    [
      'sets in a function that returns the flow',
      `export default async () => { let token;
      return { before: [{ get: '/', afterHooks: [() => (token = 1)] }], main: [{ get: () => token }] }; };`,
    ],
    [
      'sets in a named function that returns the flow',
      `function make() { let token;
      return { before: [{ get: '/', afterHooks: [() => (token = 1)] }], main: [{ get: () => token }] }; } export default make;`,
    ],
    [
      'sets in a function that is called at once',
      `export default (() => { let token;
      return { before: [{ get: '/', afterHooks: [() => (token = 1)] }], main: [{ get: () => token }] }; })();`,
    ],
    ['sets, without a declaration', token('() => (globalThis.token = 1)', '() => token', '')],
    [
      'sets in global, and main reads in globalThis',
      token('() => { global.token = 1; }', '() => { const { token } = globalThis; return token; }', ''),
    ],
  ]);

  rows('refuses an object that functions alone have, if before', refused('state'), [
    ['adds a member', state('() => (state.id = 1)')],
    ['adds a computed member', state('(all) => (state[all.id] = 1)')],
    ['deletes a member', state('() => delete state.id', '() => state.id', '{ id: 1 }')],
    ['deletes a member by Reflect', state('() => Reflect.deleteProperty(state, "id")', '() => state.id', '{ id: 1 }')],
    ['merges into it', state('(all) => Object.assign(state, all.body)')],
    ['merges that member into it', state('() => Object.assign(state, { id: 1 })')],
    ['takes a value apart into it', state('(all) => void ({ id: state.id } = all)')],
    ['fills a list of it', state('() => void state.ids.push(1)', '() => state.ids[0]', '{ ids: [] }')],
    ['fills a list', state('() => void state.push(1)', '() => state.shift()', '[]')],
    ['fills a list, and main takes members with ?.', state('() => void state.push(1)', '() => state?.[0]?.id', '[]')],
    ['fills a Map', state('() => void state.set("id", 1)', '() => state.get("id")', 'new Map()')],
    ['fills a Set', state('() => void state.add(1)', '() => [...state][0]', 'new Set()')],
    ['fills parameters', state('() => void state.append("id", 1)', '() => String(state)', 'new URLSearchParams()')],
    ['takes from an iterator', state('() => void state.next()', '() => state.next().value', '[1, 2].values()')],
    ['looks first, and adds what it has not', state('() => { if (!state.id) state.id = 1; }')],
    ['sets a static member', module('class state { static id; }', '() => (state.id = 1)', '() => state.id')],
  ]);

  rows('refuses a variable of the environment that before', refused('process.env.OF_FLOW'), [
    ['sets', module('', '() => (process.env.OF_FLOW = 1)', '() => process.env.OF_FLOW')],
    ['sets by text', module('', '() => (process.env["OF_FLOW"] = 1)', '() => process.env.OF_FLOW')],
    ['merges', module('', '() => Object.assign(process.env, { OF_FLOW: 1 })', '() => process.env.OF_FLOW')],
    [
      'sets, and main takes out',
      module('', '() => { process.env.OF_FLOW = 1; }', '() => { const { OF_FLOW } = process.env; return OF_FLOW; }'),
    ],
    [
      'sets by an import',
      module('import process, { env } from "node:process";', '() => (process.env.OF_FLOW = 1)', '() => env.OF_FLOW'),
    ],
  ]);

  it('refuses what iterations change and after reads', async () => {
    const flow = (main, after) =>
      `const ids = []; let count = 0; export default { main: [{ get: '/', afterHooks: [${main}] }], after: ${after} };`;
    const main = 'flow.main[0].afterHooks[0]';
    expect(await judgeModule(flow('(all) => ids.push(all.id)', '[{ del: () => ids[0] }]'))).to.equal(
      refused('ids', main, 'flow.after[0].del'),
    );
    expect(await judgeModule(flow('() => count++', '[]'))).to.equal('nothing');
    expect(await judgeModule(flow('() => count++', '() => void console.log(count)'))).to.equal(
      refused('count', main, 'flow.after'),
    );
    expect(await judgeModule(flow('() => count++', '() => count++'))).to.equal('nothing');
  });

  it('reads the hooks and headers of a flow as those of all its phases', async () => {
    const flow = (more) => `let token; export default { ${more} };`;
    const writer = `main: [{ get: '/', afterHooks: [() => (token = 1)] }]`;
    expect(await judgeModule(flow(`headers: { a: () => token }, ${writer}, after: ['/end']`))).to.equal(
      refused('token', 'flow.main[0].afterHooks[0]', 'flow.headers.a'),
    );
    expect(await judgeModule(flow(`headers: { a: () => token }, ${writer}`))).to.equal('nothing');
    expect(
      await judgeModule(
        flow(`afterHooks: [(all) => (token = all.token)], before: ['/b'], main: [{ get: () => token }]`),
      ),
    ).to.equal(noticed('token', 'flow.afterHooks[0]'));
  });

  const both = (parts, hook, read) => module(parts, hook, read, `, afterHooks: [${hook}]`);

  rows('has a notice of a variable that before', noticed('token'), [
    [
      'sets, and main sets in an earlier function',
      module('let token;', '() => (token = 1)', '() => token', ', beforeHooks: [() => (token = 2)]'),
    ],
    ['sets, and main sets first in the function', token('() => (token = 1)', '() => { token = 2; return token; }')],
    ['sets, and main sets lazily', token('() => (token = 1)', '() => (token ??= 2)')],
    [
      'and main set in one function',
      `let token; const path = () => (token = token ? token + 1 : 1);
      export default { before: [{ get: '/', afterHooks: [path] }], main: [{ get: path }] };`,
    ],
    [
      'sets lazily, which may have a value',
      token('() => (token ||= 1)', '() => token', 'let token = process.argv[2];'),
    ],
    [
      'sets if it has none, which may have one',
      token('() => { if (!token) token = 1; }', '() => token', 'let token = "t";'),
    ],
    ['sets to what it is at first', token('() => (token = true)', '() => token', 'let token = true;')],
    ['resets', token('() => { token = 0; }', '() => token', 'let token = 0;')],
    ['empties, which has nothing', token('() => { token.length = 0; }', '() => token.pop()', 'const token = [];')],
    ['clears, which has nothing', token('() => token.clear()', '() => token.get(1)', 'const token = new Map();')],
    [
      'sets in a block',
      `let flow; for (const n of [1]) { let token;
      flow = { before: [{ get: '/', afterHooks: [() => (token = n)] }], main: [{ get: () => token }] }; } export default flow;`,
    ],
    [
      'sets in a builder that is called twice',
      `const step = () => { let token; return { set: () => (token = 1), get: () => token }; };
      export default { before: [{ get: '/', afterHooks: [step().set] }], main: [{ get: step().get }] };`,
    ],
  ]);

  rows('has a notice of a variable that functions', noticed('token'), [
    [
      'of before set by a call',
      `let token; const set = (value) => { token = value; }; function keep(all) { set(all); } export default
      { before: [{ get: '/', afterHooks: [(all) => void keep(all)] }], main: [{ get: () => token }] };`,
    ],
    [
      'of main read by a call',
      `let token; const read = () => token; export default
      { before: [{ get: '/', afterHooks: [() => (token = 1)] }], main: [{ get: () => '/' + read() }] };`,
    ],
  ]);

  rows('has a notice of an object that before changes', noticed('state'), [
    [
      'and other code uses',
      `const build = (json) => ({ json }); const state = {}; export default
      { before: [{ get: '/', afterHooks: [() => (state.id = 1)] }], main: [{ ...build(state), get: () => state.id }] };`,
    ],
    [
      'and main fills in the same function',
      module(
        'const state = new Map();',
        '() => state.set("a", 1)',
        '() => { if (!state.has("a")) state.set("a", 2); return state.get("a"); }',
      ),
    ],
    ['of an unknown class', module('class A {} const state = new A();', '() => (state.id = 1)', '() => state.id')],
    [
      'by a method of its own',
      module('const state = { set(id) { this.id = id; } };', '() => state.set(1)', '() => state.id'),
    ],
    [
      'by a list of an unknown class',
      module('const state = new (class { push() {} })();', '() => state.push(1)', '() => state.id'),
    ],
  ]);

  rows('leaves', 'nothing', [
    [
      'an object of the flow',
      `const state = {}; export default
      { before: [{ get: '/', afterHooks: [() => (state.id = 1)] }], main: [{ get: () => state.id, json: state }] };`,
    ],
    [
      'an object of a flow that a function returns',
      `export default async () => { const state = {}; return
      { before: [{ get: '/', afterHooks: [() => (state.id = 1)] }], main: [{ get: () => state.id, json: state }] }; };`.replace(
        'return\n',
        'return',
      ),
    ],
    [
      'the flow itself',
      `const flow = { before: [{ get: '/', afterHooks: [() => flow.main.push('/b')] }], main: [{ get: () => '/' + flow.main.length }] };
      export default flow;`,
    ],
    ['another member', state('() => (state.at = 1)')],
    ['another merged member', state('() => Object.assign(state, { at: 1 })')],
    ['another member that is taken out', state('() => (state.at = 1)', '() => { const { id } = state; return id; }')],
    ['other inner variables of the name', token('() => (token = 1)', '(token) => token')],
    ['a variable that hooks of before declare', token('() => { let token; token = 1; }')],
    [
      'the same text in builders of other variables',
      `const a = (token) => () => token; const b = () => { let token; return { set: () => (token = 1), get: () => token }; };
      export default { before: [{ get: '/', afterHooks: [b().set] }], main: [{ get: a('/') }] };`,
    ],
    ['a variable that main sets only', token('() => (token = 1)', '() => { token = 2; return "/"; }')],
    ['a variable that main counts only', token('() => (token = 1)', '() => { token++; token += 1; return "/"; }')],
    [
      'a variable that main takes a value apart into',
      token('() => (token = 1)', '(all) => { ({ token } = all); return "/"; }'),
    ],
    ['counters of hooks', both('let n = 0;', '() => n++', "'/'")],
    ['members and properties of the name', token('() => (token = 1)', '() => ({ token: 1 }).token')],
    ['members that before sets', token('(all) => (all.token = 1)')],
    [
      'a client',
      module(
        'import { createHash } from "node:crypto"; const client = createHash("sha1");',
        '() => client.set("a", 1)',
        '() => client.get("a")',
      ),
    ],
    ['another variable of the environment', module('', '() => (process.env.OF_FLOW = 1)', '() => process.env["HOME"]')],
    [
      'import.meta and new.target',
      module(
        '',
        '() => import.meta.url',
        '() => { function A() { return new.target; } return String(A() ?? import.meta.url); }',
      ),
    ],
    [
      'a memo that before fills',
      `const memo = {}; const get = () => (memo.a ??= '/');
      export default { before: [{ get }], main: ['/'] };`,
    ],
    ['a label', token('() => (token = 1)', '() => { token: for (;;) break token; return "/"; }')],
    ['native code', module('', 'Math.max', 'Math.min')],
    [
      'getters and toJSON, which are compared later',
      `let token; export default { before: [{ get: '/', afterHooks: [() => (token = 1)] }],
      main: [{ get: '/', json: { get x() { return token; }, toJSON: () => token } }] };`,
    ],
    [
      'a flow without before',
      `let token; export default { beforeHooks: [() => (token = 1)], main: [{ get: () => token }] };`,
    ],
  ]);

  it('reads CommonJS, also with a return at its top level, and undeclared variables', () => {
    const text = (parts) =>
      `${parts} module.exports = { before: [{ get: '/', afterHooks: [() => (token = 1)] }], main: [{ get: () => token }] }; return;`;
    for (const parts of ['var token;', '', 'var delete_ = 010;']) {
      const module = { exports: {} };
      compileFunction(text(parts), ['module'])(module);
      expect(judge(module.exports, text(parts))).to.equal(refused('token'));
    }
  });

  it('reads the text of -e', () => {
    const text = `{ before: [{ get: '/', afterHooks: [() => (globalThis.token = 1)] }], main: [{ get: () => token }] }`;
    expect(judge(new Function(`return (${text})`)(), text)).to.equal(refused('token'));
  });

  it('knows nothing of functions that the module does not have', () => {
    let token;
    const flow = { before: [{ get: '/', afterHooks: [() => (token = 1)] }], main: [{ get: () => token }] };
    for (const text of ['let token;', 'let token: string', 'not JavaScript', ''])
      expect(judge(flow, text)).to.equal('nothing');
  });

  it('knows nothing of code that is nested too deeply', () => {
    expect(judge({ before: [() => 1], main: [() => 2] }, `${'['.repeat(1e5)}1${']'.repeat(1e5)}`)).to.equal('nothing');
    expect(judge({ before: [() => 1], main: [() => 2] }, `() => 1; () => 2; x = 1${'+1'.repeat(1e5)}`)).to.equal(
      'nothing',
    );
  });
});
