import { tmpdir } from 'node:os';

import { expect } from 'chai';

import { flowOf } from '../../../../lib/addons/import/draft.js';
import { read as readK6 } from '../../../../lib/addons/import/k6/index.js';
import { readObject } from '../../../../lib/addons/import/k6/literal.js';
import { writeFlow } from '../../../../lib/addons/import/write-flow.js';

const options = { from: 'source', folder: tmpdir() };

describe('import/k6', () => {
  const script = `import http from 'k6/http';
// the load
export const options = {
  stages: [{ duration: '30s', target: 20 }, /* hold */ { duration: '1m', target: 20 },],
  thresholds: { http_req_duration: ['p(95)<500', "avg<200"], http_req_failed: ['rate<0.01'], checks: ['rate>0.9'], 'http_reqs{status:500}': ['count==0'] },
  insecureSkipTLSVerify: true,
  tags: { name: __ENV.NAME },
};
export default function () {
  http.get('https://shop.example/items');
  http.post(\`\${BASE}/login\`, payload);
}
`;

  for (const code of [
    ": Options = { vus: 5, duration: '10s', thresholds: { checks: ['rate>0.9'] as const } } as const",
    " = <const>{ vus: <number>5, duration: '10s'!, thresholds: { checks: ['rate>0.9'] satisfies string[] } }",
    ": Partial<Options> = { vus: users, duration: '10s', thresholds: { checks } satisfies Record<string, Array<string>> }",
  ])
    it(`options of TypeScript are those of JavaScript: ${code}`, () => {
      const before = "const users = <number>5;\nconst checks = ['rate>0.9'] as Threshold[];\n";
      const draft = readK6(`import http from 'k6/http';\n${before}export const options${code};`, options);
      expect(flowOf(draft)).to.deep.include({
        runOptions: { limit: 5, duration: '10s' },
        thresholds: { checks: '>90%' },
      });
      expect(draft.dialectNotes).to.deep.equal(['The load of the script is: bench-rest -c 5 -t 10s <flow>']);
    });

  for (const [title, code, baseUrl] of [
    [
      'that of a request',
      "const docs = 'https://docs.example/'; http.get('http://shop.example/items');",
      'http://shop.example',
    ],
    [
      'that of a constant, not of a module or a body',
      "import { uuid } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';\nconst body = { link: 'https://other.example' };\nconst BASE_URL = __ENV.BASE_URL || 'http://localhost:8080/api';",
      'http://localhost:8080',
    ],
    [
      'that of a request, in a script without semicolons',
      "export function read() {\n  http.get('http://shop.example/items')\n}\nlog('read from', 'items')",
      'http://shop.example',
    ],
    ['none', "import 'https://jslib.k6.io/x.js';\nhttp.get(`${url}/a`);", 'http://localhost:3000'],
  ])
    it(`the base URL is the address in the script: ${title}`, () =>
      expect(readK6(`import http from 'k6/http';\n${code}`, options).baseUrl).to.equal(baseUrl));

  it('reads the options, and lists the requests without translating them', () => {
    const draft = readK6(script, options);
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'https://shop.example',
      runOptions: { stages: ['30s:20c', '1m:20c'], insecure: true },
      thresholds: { p95: '<500ms', mean: '<200ms', errors: '<1%', checks: '>90%', 'status.500': '<=0' },
      main: [{ get: '/' }],
    });
    expect(draft.dialectNotes).to.deep.equal([
      'The load of the script is: bench-rest --stage 30s:20c --stage 1m:20c <flow>',
      'These options have no equivalent: tags.',
      'name: __ENV.NAME is an expression: its value is not known.',
    ]);
    expect(draft.skipped.map(({ what }) => what)).to.deep.equal([
      "line 10: http.get('https://shop.example/items');",
      'line 11: http.post(`${BASE}/login`, payload);',
    ]);
  });

  for (const [text, runOptions] of [
    ["{ vus: 10, duration: '30s' }", { limit: 10, duration: '30s' }],
    ['{ vus: 5, iterations: 100 }', { limit: 5, iterations: 100 }],
    [
      "{ scenarios: { a: { executor: 'constant-arrival-rate', rate: 600, timeUnit: '1m', duration: '30s', preAllocatedVUs: 50 } } }",
      { rate: 10, duration: '30s', limit: 50 },
    ],
    [
      "{ scenarios: { a: { executor: 'constant-arrival-rate', rate: 1, timeUnit: '1h', duration: '5h' } } }",
      { rate: 0.000278, duration: '5h' },
    ],
    [
      "{ scenarios: { a: { executor: 'ramping-arrival-rate', startRate: 5, stages: [{ target: 50, duration: '10s' }], maxVUs: 9 } } }",
      { stages: ['1ms:5', '10s:50'], limit: 9 },
    ],
    ["{ scenarios: { a: { executor: 'per-vu-iterations', vus: 3, iterations: 4 } } }", { limit: 3, iterations: 12 }],
    [
      "{ vus: Number(__ENV.VUS || '7'), duration: __ENV.DURATION || '30s', iterations: other() }",
      { limit: 7, duration: '30s' },
    ],
    ['{ stages: [{ duration: other(), target: 2 }], rps: 3 }', { rate: 3 }],
    ["{ vus: parseInt(__ENV.VUS, 10) || 5, duration: '9s' }", { limit: 5, duration: '9s' }],
    ["{ stages: [{ duration: '1m30s', target: 9 }] }", { stages: ['90s:9c'] }],
    ["{ scenarios: { a: { executor: 'externally-controlled', vus: 3 } } }", undefined],
    ["{ vus: VUS, duration }\nconst VUS = 2 // users\nconst duration = '9s';", { limit: 2, duration: '9s' }],
    ["{ vus: VUS, duration: '9s' }\nconst VUS = __ENV.VUS || 3;", { limit: 3, duration: '9s' }],
    ["{ vus: VUS, duration: '9s' }\nconst VUS = 2\n  * 3;", { duration: '9s' }],
    ["{ vus: 2, duration: '9s', stages }\nconst stages = [];\nstages.push({});", { limit: 2, duration: '9s' }],
    [
      "{ stages: [{ duration: '0s', target: 9 }, { duration: 500, target: 9 }, { duration: '1d', target: 0 }] }",
      { stages: ['1ms:9c', '500ms:9c', '86400s:0c'] },
    ],
    ["{ vus: VUS, duration: '9s' }\nconst VUS = OTHER;\nconst OTHER = VUS;", { duration: '9s' }],
  ])
    it(`options ${text.slice(0, 70)} become run options`, () =>
      expect(flowOf(readK6(`export const options = ${text}`, options)).runOptions).to.deep.equal(runOptions));

  it('options without an equivalent, and stages that are not known, are named', () => {
    const { dialectNotes, skipped } = readK6(
      `const N = 2 * 3;
const options = {
  maxRedirects: 4,
  scenarios: { a: { executor: 'ramping-vus', gracefulStop: '1s', stages: [{ duration: '1s', target: N }] } },
  thresholds: { http_req_failed: [{ threshold: 'rate<0.01', abortOnFail: true }] },
};
export { options };
http.batch([
  ['GET', 'https://shop.example/items'],
]);
client.invoke('shop.Items/List', {});
`,
      options,
    );
    expect(dialectNotes).to.deep.equal([
      'The load lacks 1 stage, whose duration or target is not known: complete `stages`.',
      'These options have no equivalent: maxRedirects, gracefulStop of a.',
      'The threshold http_req_failed: rate<0.01 ends a run of k6: add --abort-on-fail.',
      'target: N is an expression: its value is not known.',
    ]);
    expect(skipped.map(({ what }) => what.slice(0, 12))).to.deep.equal([
      'line 8: http',
      "line 9: ['GE",
      'line 11: cli',
    ]);
  });

  /** Reads a script with these options, below some code. */
  const readOptions = (given, code = '', after = '') => {
    const { properties, dialectNotes } = readK6(`${code}\nexport const options = ${given}\n${after}`, options);
    return { runOptions: properties.runOptions, notes: dialectNotes.join('\n') };
  };

  it('comments are no part of the options and the constants', () => {
    const { runOptions, notes } = readOptions(
      "{ vus: VUS, duration: `${__ENV.MIN}m`, // don't raise\n tags: { a: 'http://x/*' }, iterations: __ENV.N || 20 /* a { */ }",
      "const VUS = 5; // it's enough\n/*\nconst VUS = 7;\nexport const options = { vus: 9 };\n*/",
    );
    expect(runOptions).to.deep.equal({ limit: 5, iterations: 20 });
    expect(notes).to.contain('duration: `${__ENV.MIN}m` is an expression');
  });

  for (const code of [
    'load.stages.push({});',
    'load.vus += 1;',
    'load.vus++;',
    '--load.vus;',
    'load.list.pop();',
    'delete load.vus;',
    'Object.assign(load, more);',
    'load.vus ??= 1;',
  ])
    it(`a constant is not known if the script has ${code}`, () => {
      const { runOptions, notes } = readOptions(
        '{ vus: load.vus, scenarios: { a: load } }',
        'const load = { vus: 5 };',
        code,
      );
      expect(runOptions).to.equal(undefined);
      expect(notes).to.contain('a: load is an expression');
    });

  it('a constant is known if the script only reads it', () => {
    const { runOptions } = readOptions(
      '{ stages }',
      "const stages = [{ duration: '5s', target: 2 }];",
      'if (stages.length === 1) f((x) => x.y);',
    );
    expect(runOptions).to.deep.equal({ stages: ['5s:2c'] });
  });

  it('a constant that the script has twice is not known', () =>
    expect(readOptions('{ vus: V }', 'const V = 5;\nconst V = 6;').notes).to.contain('vus: V is an expression'));

  it('options without an end are noted', () =>
    expect(readOptions('{ vus: 5 ]').notes).to.contain('The options of the script are no complete object'));

  it('options that the script changes later are noted', () => {
    expect(readOptions('{ vus: 5 }', '', 'options.scenarios = {};').notes).to.contain('may change its options');
    expect(readOptions('{ vus: 5 }', '', 'http.options(url);').notes).not.to.contain('may change');
  });

  it('escapes and line ends of other systems are read as in JavaScript', () => {
    const { value } = readObject("{ a: 'a\\tb\\u002F\\x41\\u{1F600}\\'' }", 0);
    expect(value).to.deep.equal({ a: "a\tb/A\u{1F600}'" });
    const { runOptions } = readK6('const V = 5\r\nexport const options = { vus: V }\r\n', options).properties;
    expect(runOptions).to.include({ limit: 5 });
  });

  it('a default is converted as JavaScript does, and notes are those of the values that are used', () => {
    const { value, unread, defaults } = readObject(
      "{ a: parseInt(__ENV.A || '10 users'), b: parseInt(__ENV.B || '7.9'), c: Number(__ENV.C || '1.2.3'), d: { x: __ENV.X || 1 }.x }",
      0,
    );
    expect(value).to.deep.equal({ a: 10, b: 7 });
    expect(unread).to.deep.equal(["c: Number(__ENV.C || '1.2.3')", 'd: { x: __ENV.X || 1 }.x']);
    expect(defaults).to.have.length(2);
  });

  it('constants of constants cost bounded time', () => {
    const all = Array.from({ length: 29 }, (_, i) => `const a${i} = [a${i + 1}, a${i + 1}];`).join('\n');
    expect(readK6(`${all}\nexport const options = { tags: a0 };`, options).properties).to.have.property('runOptions');
  });

  it('several scenarios are scenarios with loads, and have their thresholds', () => {
    const draft = readK6(
      `export const options = {
  scenarios: {
    visits: { executor: 'constant-arrival-rate', rate: 50, duration: '1m', preAllocatedVUs: 20, exec: 'visit' },
    imports: { executor: 'constant-vus', vus: 4, duration: '30s', startTime: '1m10s' },
    other: { executor: 'externally-controlled' },
  },
  thresholds: { 'http_req_duration{scenario:visits}': ['p(95)<200'], 'http_req_failed{ scenario:imports }': ['rate<0.05'] },
};
export function visit() {
  const found = (id) => http.get(\`https://shop.example/items/\${id}\`);
}
export default () => {
  http.post('https://shop.example/items', '{}');
};
`,
      options,
    );
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'https://shop.example',
      thresholds: { 'visits p95': '<200ms', 'imports errors': '<5%' },
      scenarios: {
        visits: { load: { rate: 50, duration: '1m', limit: 20 }, main: [{ get: '/' }] },
        imports: { load: { limit: 4, duration: '30s' }, startAfter: '70s', main: [{ get: '/' }] },
      },
    });
    expect(draft.scenarios.visits.main[0].comments).to.deep.equal([
      'Replace this operation by the requests of the function visit:',
      'line 10: const found = (id) => http.get(`https://shop.example/items/${id}`);',
    ]);
    expect(draft.scenarios.imports.main[0].comments[1]).to.equal(
      "line 13: http.post('https://shop.example/items', '{}');",
    );
    expect(draft.dialectNotes).to.deep.equal(['The executor externally-controlled of other has no equivalent.']);
    expect(writeFlow(draft, 'mjs')).to.contain(
      "imports: {\n      load: { limit: 4, duration: '30s' },\n      startAfter: '70s',",
    );
    expect(writeFlow(draft, 'yaml')).to.contain(
      'imports:\n    load:\n      limit: 4\n      duration: 30s\n    startAfter: 70s\n',
    );
  });
});
