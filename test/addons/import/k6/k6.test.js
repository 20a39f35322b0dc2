import { tmpdir } from 'node:os';

import { expect } from 'chai';

import { flowOf } from '../../../../lib/addons/import/draft.js';
import { read as readK6 } from '../../../../lib/addons/import/k6/index.js';
import { writeFlow } from '../../../../lib/addons/import/write-flow.js';

const options = { from: 'source', folder: tmpdir() };

/** A script with this code as its function. */
function inFunction(code) {
  return `import http from 'k6/http';\nimport { check, group, sleep } from 'k6';\nexport default function () {\n${code}\n}`;
}

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
      expect(flowOf(draft)).to.deep.include({ runOptions: { limit: 5, duration: '10s' } });
      expect(draft.dialectNotes).to.deep.equal([
        'The load of the script is: bench-rest -c 5 -t 10s <flow>',
        'The threshold checks: rate>0.9 is left out, as the flow has no check.',
      ]);
    });

  for (const [title, code, baseUrl] of [
    [
      'that of most requests',
      "http.get('http://a.example/x'); http.get('http://b.example/'); http.get('http://b.example/y')",
      'http://b.example',
    ],
    [
      'the default of a variable of the environment',
      "const BASE_URL = __ENV.BASE_URL || 'http://localhost:8080/api'; http.get(`${BASE_URL}/items`);",
      'http://localhost:8080',
    ],
    ['a variable of the environment', 'http.get(`${__ENV.BASE_URL}/a`);', '#{env.BASE_URL}'],
    ['none', "import 'https://jslib.k6.io/x.js';\nhttp.get(url);", undefined],
  ])
    it(`the base URL is the address in the script: ${title}`, () =>
      expect(readK6(inFunction(code), options).baseUrl).to.equal(baseUrl));

  it('reads the options, and the requests', () => {
    const draft = readK6(script, options);
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'https://shop.example',
      runOptions: { stages: ['30s:20c', '1m:20c'], insecure: true },
      thresholds: { p95: '<500ms', mean: '<200ms', errors: '<1%', 'status.500': '<=0' },
      main: [{ get: '/items' }],
    });
    expect(draft.dialectNotes).to.deep.equal([
      'The load of the script is: bench-rest --stage 30s:20c --stage 1m:20c <flow>',
      'These options have no equivalent: tags.',
      'The threshold checks: rate>0.9 is left out, as the flow has no check.',
      'name: __ENV.NAME is an expression: its value is not known.',
    ]);
    expect(draft.skipped).to.deep.equal([
      {
        what: 'line 11: http.post(`${BASE}/login`, payload)',
        why: 'BASE is not known: line 11: BASE',
      },
    ]);
    expect(writeFlow(draft, 'mjs')).to.contain(`
    // Line 11:
    // http.post(\`\${BASE}/login\`, payload)
    // Left out: BASE is not known: line 11: BASE
    // { post: '\${BASE}/login' },
`);
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
    ["{ vus: 2 * 3, duration: '9s' }", { limit: 6, duration: '9s' }],
    [
      "{ stages: [{ duration: '0s', target: 9 }, { duration: 500, target: 9 }, { duration: '1d', target: 0 }] }",
      { stages: ['1ms:9c', '500ms:9c', '86400s:0c'] },
    ],
    ["{ vus: VUS, duration: '9s' }\n", { duration: '9s' }],
  ])
    it(`options ${text.slice(0, 70)} become run options`, () =>
      expect(flowOf(readK6(`export const options = ${text}`, options)).runOptions).to.deep.equal(runOptions));

  it('options without an equivalent, and stages that are not known, are named', () => {
    const { dialectNotes } = readK6(
      `const N = other();
const options = {
  maxRedirects: 4,
  scenarios: { a: { executor: 'ramping-vus', gracefulStop: '1s', stages: [{ duration: '1s', target: N }] } },
  thresholds: { http_req_failed: [{ threshold: 'rate<0.01', abortOnFail: true }] },
};
export { options };
`,
      options,
    );
    expect(dialectNotes).to.deep.equal([
      'The load lacks 1 stage, whose duration or target is not known: complete `stages`.',
      'These options have no equivalent: gracefulStop of a.',
      'The threshold http_req_failed: rate<0.01 ends a run of k6: add --abort-on-fail.',
      'target: other() is an expression: its value is not known.',
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

  for (const [code, expected] of [
    ['load.vus += 1;', 6],
    ['load.vus++;', 6],
    ['--load.vus;', 4],
    ['delete load.vus;', 1],
    ['Object.assign(load, { vus: 7 });', 7],
    ['load.vus ??= 1;', 5],
    ['if (__ENV.BIG) load.vus = 500;', 5],
    ['for (const one of [1, 2]) load.vus += one;', 8],
    ['[1, 2].forEach((one) => { load.vus += one; });', 8],
    ['change(load);', undefined],
  ])
    it(`a value is known as the script changes it: ${code}`, () => {
      const { runOptions } = readOptions('{ vus: load.vus, iterations: 9 }', `const load = { vus: 5 };\n${code}`);
      expect(runOptions.limit).to.equal(expected);
    });

  it('options that the script changes later are those that it ends with', () =>
    expect(readOptions("{ vus: 5, duration: '1s' }", '', 'options.vus = 6;').runOptions.limit).to.equal(6));

  for (const [title, code] of [
    ['a statement without its end', 'export const options = { vus: 5 ]'],
    ['a constant twice', 'const V = 5;\nconst V = 6;'],
  ])
    it(`a script that k6 cannot read is refused with its line: ${title}`, () =>
      expect(() => readK6(code, options))
        .to.throw(/cannot be parsed: line [12]: .*; correct it/)
        .with.property('code', 'E_FLOW_FILE'));

  it('line ends of other systems are read as in JavaScript', () => {
    const { runOptions } = readK6('const V = 5\r\nexport const options = { vus: V }\r\n', options).properties;
    expect(runOptions).to.include({ limit: 5 });
  });

  it('a default is converted as JavaScript does', () =>
    expect(
      readOptions("{ vus: parseInt(__ENV.A || '10 users'), iterations: Number(__ENV.C || '1e3') }").runOptions,
    ).to.deep.equal({ limit: 10, iterations: 1000 }));

  it('constants of constants cost bounded time', () => {
    const all = Array.from({ length: 29 }, (_, i) => `const a${28 - i} = [a${29 - i}, a${29 - i}];`).join('\n');
    const { notes } = readOptions('{ vus: 5, tags: a0 }', `const a29 = [1, 2];\n${all}`);
    expect(notes).to.contain('The options of the script are not known.');
    const { skipped } = readK6(
      `import http from 'k6/http';\nconst a29 = [1, 2];\n${all}\nexport default () => http.post('http://a.example', JSON.stringify(a0));`,
      options,
    );
    expect(skipped[0].why).to.contain('its body is not known');
  });

  it('several scenarios are scenarios with loads, and have their thresholds', () => {
    const draft = readK6(
      `import http from 'k6/http';
export const options = {
  scenarios: {
    visits: { executor: 'constant-arrival-rate', rate: 50, duration: '1m', preAllocatedVUs: 20, exec: 'visit' },
    imports: { executor: 'constant-vus', vus: 4, duration: '30s', startTime: '1m10s' },
    other: { executor: 'externally-controlled' },
  },
  thresholds: { 'http_req_duration{scenario:visits}': ['p(95)<200'], 'http_req_failed{ scenario:imports }': ['rate<0.05'] },
};
export function visit() {
  const found = (id) => http.get(\`https://shop.example/items/\${id}\`);
  found(1);
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
        visits: { load: { rate: 50, duration: '1m', limit: 20 }, main: [{ get: '/items/1' }] },
        imports: {
          load: { limit: 4, duration: '30s' },
          startAfter: '70s',
          main: [{ post: '/items', body: '{}', followAllRedirects: true }],
        },
      },
    });
    expect(draft.dialectNotes).to.deep.equal(['The executor externally-controlled of other has no equivalent.']);
    expect(writeFlow(draft, 'mjs')).to.contain(
      "imports: {\n      load: { limit: 4, duration: '30s' },\n      startAfter: '70s',",
    );
    expect(writeFlow(draft, 'yaml')).to.contain(
      'imports:\n    load:\n      limit: 4\n      duration: 30s\n    startAfter: 70s\n',
    );
  });

  it('a condition on what a loop leaves is named as depending on it', () => {
    const { skipped } = readK6(
      inFunction(
        "let r; do { r = http.get('http://a.example/'); } while (r.json().n); if (r.status) http.get('http://a.example/b');",
      ),
      options,
    );
    expect(skipped[1].why).to.match(
      /^it depends on a loop before it, and only a run knows how often that is repeated: line 4/,
    );
  });
});
