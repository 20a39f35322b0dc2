import { createHmac } from 'node:crypto';
import { tmpdir } from 'node:os';

import { expect } from 'chai';

import { flowOf } from '../../../../lib/addons/import/draft.js';
import { read } from '../../../../lib/addons/import/k6/index.js';

const U = 'http://shop.example';

/** The draft of a script that requests a path with the text of an expression. */
function draftOf(expression, before = '') {
  const imports = `import http from 'k6/http';
import encoding from 'k6/encoding';
import crypto from 'k6/crypto';
import exec from 'k6/execution';
import ws from 'k6/ws';
import { randomSeed } from 'k6';
import { Trend } from 'k6/metrics';
import { randomString } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';`;
  const script = `${imports}\nexport default function () { ${before} http.get('${U}/' + (${expression})); }`;
  return read(script, { from: 'source', folder: tmpdir() });
}

/** The path itself. */
function sentBy(expression, before) {
  const draft = draftOf(expression, before);
  expect(draft.skipped).to.deep.equal([]);
  return decodeURIComponent(flowOf(draft).main[0].get);
}

describe('import/k6: expressions have the values that JavaScript gives them', () => {
  for (const expression of [
    '7 / 2',
    '7 % 4',
    '2 ** 5',
    "[1 == '1', 1 == 2]",
    "[1 != '1', 1 != 2]",
    '[1 <= 1, 2 <= 1]',
    '[2 > 1, 1 > 1]',
    '[1 >= 1, 0 >= 1]',
    '6 & 3',
    '6 ^ 3',
    '3 << 2',
    '-8 >> 1',
    '-8 >>> 28',
    "+'12'",
    '~5',
    'typeof 1',
    'typeof (() => 1)',
    '[void 0, 1]',
    '(1, 2)',
    "({ a: 'b' })?.a",
    'String(12)',
    'Boolean(0)',
    "[isNaN('a'), isNaN('1')]",
    'Object.values({ a: 1, b: 2 })',
    'Object.entries({ a: 1, b: 2 }).map(([key, value]) => key + value)',
    'Object.freeze({ a: 1 }).a',
    "Object.fromEntries([['a', 'b']]).a",
    "'a1b22'.replace(/\\d/g, 'x')",
    '[1, 2].flatMap((one) => [one, one])',
    '[1, 2, 3].reduce((sum, one) => sum + one, 10)',
    '[1, 2, 3].filter((one) => one % 2)',
    '[1, 2, 3].find((one) => one > 1)',
    '[1, 2, 3].findIndex((one) => one > 2)',
    "(() => { let keys = ''; for (const key in { a: 1, b: 2 }) keys += key; return keys; })()",
  ])
    it(expression, () => {
      const value = Function(`return '' + (${expression})`)();
      expect(sentBy(expression)).to.equal(`/${value}`);
    });
});

describe('import/k6: modules', () => {
  for (const [expression, path, before] of [
    ["encoding.b64decode('YWI=')", '/ab'],
    ["crypto.hmac('sha256', 'key', 'text', 'hex')", `/${createHmac('sha256', 'key').update('text').digest('hex')}`],
    ["'a'", '/a', 'randomSeed(1);'],
    ["'a'", '/a', "new Trend('waiting').add(1);"],
    ["'a'", '/a', "exec.test.fail('too slow');"],
  ])
    it(`are followed: ${before ?? expression}`, () => expect(sentBy(expression, before)).to.equal(path));

  it('random letters are a token', () => {
    const [{ get }] = flowOf(draftOf("randomString(2, 'ab')")).main;
    expect(get).to.match(/#\{/);
  });

  for (const [before, why] of [
    ['http.setResponseCallback(http.expectedStatuses(200));', 'write the statuses that each operation expects'],
    ["exec.test.abort('no login');", 'a run is ended by a threshold and --abort-on-fail'],
    ["ws.connect('ws://shop.example', {}, () => {});", 'the events of a WebSocket are not followed'],
  ])
    it(`code without an equivalent is a comment: ${before}`, () => {
      const { skipped } = draftOf("'a'", before);
      expect(skipped.map((one) => one.why).join()).to.include(why);
    });
});
