import { tmpdir } from 'node:os';

import { expect } from 'chai';

import { flowOf } from '../../../../lib/addons/import/draft.js';
import { read } from '../../../../lib/addons/import/k6/index.js';

const U = 'http://shop.example';
const BEFORE = `import http from 'k6/http';
const send = (path) => http.get('${U}/' + path);
export default function () {
const r = http.get('${U}/r');
const [a, b, id, kind] = [r.json('a'), r.json('b'), r.json('id'), r.json('kind')];
`;

/** What a flow sends after the first request: paths with the code of their tokens, and conditions. */
function sentBy(code) {
  const draft = read(`${BEFORE}${code}\n}`, { from: 'source', folder: tmpdir() });
  expect(draft.skipped).to.deep.equal([]);
  const { main, tokens = {} } = flowOf(draft);
  const body = ({ text }) => text.replace('({ vars }) => ', '');
  const path = (get) => get.replace(/#\{(\w+)\}/, (whole, name) => (tokens[name] ? body(tokens[name]) : whole));
  return main.slice(1).map(({ get, when }) => (when ? `${path(get)} if ${body(when)}` : path(get)));
}

describe('import/k6: ways that a script may take', () => {
  for (const [title, code, sent] of [
    [
      'a break within two conditions',
      "for (const i of [1]) { if (a) { if (b) break; } send('x'); } send('y');",
      ['/x if (!vars.a) || (!vars.b)', '/y'],
    ],
    [
      'a return within two conditions',
      'const f = () => { if (a) { if (b) return 1; } return 2; }; send(f());',
      ['/(vars.a && vars.b) ? 1 : 2'],
    ],
    [
      'what is changed before a break',
      'let f = 0; for (const i of [6, 7]) if (id === i) { f = i; break; } send(f);',
      ['/(vars.id !== 6) ? ((vars.id !== 7) ? 0 : 7) : 6'],
    ],
    [
      'what is changed after a continue',
      'let n = 0; for (const i of [6]) { if (id === i) continue; n++; } send(n);',
      ['/(vars.id !== 6) ? 1 : 0'],
    ],
    [
      'what is changed after a return',
      'let n = 0; const f = () => { if (a) return; n = 1; }; f(); send(n);',
      ['/(!vars.a) ? 1 : 0'],
    ],
    [
      'a break on one side and a continue on the other',
      "for (const i of [6, 7]) { if (id === i) { send('hit'); break; } else continue; } send('end');",
      ['/hit if vars.id === 6', '/hit if vars.id !== 6 && (vars.id === 7)', '/end'],
    ],
    [
      'a continue on one side and a return on the other',
      "const f = () => { for (const i of [6, 7]) { if (id === i) continue; else return i; } return 'none'; }; send(f());",
      ["/(vars.id !== 6) ? 6 : ((vars.id !== 7) ? 7 : 'none')"],
    ],
    [
      'a return that a break avoids',
      "const f = () => { for (;;) { if (a) break; return 1; } send('after'); return 2; }; send(f());",
      ['/after if !(!vars.a)', '/(!vars.a) ? 1 : 2'],
    ],
    [
      'an error that is thrown under a condition',
      "try { if (a) throw new Error('x'); send('not'); } catch { send('caught'); } send('end');",
      ['/not if !vars.a', '/caught if !(!vars.a)', '/end'],
    ],
    [
      'finally after a break under a condition',
      "for (const i of [1]) { try { if (a) break; send('x'); } finally { send('f'); } send('y'); }",
      ['/x if !vars.a', '/f', '/y if !vars.a'],
    ],
    [
      'a switch on what a run knows',
      "let s = 'x'; switch (kind) { case 'one': s = 'o'; break; case 'two': s = 't'; } send(s);",
      ["/(vars.kind !== 'one') ? ((vars.kind === 'two') ? 't' : 'x') : 'o'"],
    ],
    ['a default before another case', "switch ('one') { default: send('d'); break; case 'one': send('1'); }", ['/1']],
    ['some that stops', '[6, 7, 8].some((x) => { send(x); return x === 7; });', ['/6', '/7']],
    [
      'some that stops where only a run knows',
      '[6, 7].some((x) => { send(x); return id === x; });',
      ['/6', '/7 if vars.id !== 6'],
    ],
    [
      'a Set that grows while a loop reads it',
      'const q = new Set([1]); for (const x of q) { send(x); if (x < 3) q.add(x + 1); }',
      ['/1', '/2', '/3'],
    ],
    [
      'an assignment that is not needed',
      "const o = { get v() { return 1; }, set v(x) { send('set'); } }; o.v ||= 9; send(o.v);",
      ['/1'],
    ],
  ])
    it(`are followed: ${title}`, () => expect(sentBy(code)).to.deep.equal(sent));

  for (const [title, code] of [
    ['that gets longer', "const l = ['x']; if (a) l.push('y'); send(l.length);"],
    ['that gets shorter', "const l = ['x']; if (a) l.pop(); send(l.join('-'));"],
    ['of requests', `const l = [['GET', '${U}/b']]; if (a) l.push(['GET', '${U}/c']); http.batch(l);`],
    ['that is a Map', "const m = new Map(); if (a) m.set('t', 1); else m.set('u', 2); send(m.get('t'));"],
  ])
    it(`requests that need a list are comments if only a run knows it: one ${title}`, () => {
      const draft = read(`${BEFORE}${code}\n}`, { from: 'source', folder: tmpdir() });
      expect(flowOf(draft).main).to.have.lengthOf(1);
      expect(draft.skipped).to.not.deep.equal([]);
    });
});
