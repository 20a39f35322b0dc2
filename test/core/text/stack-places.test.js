import { expect } from 'chai';

import { placesIn } from '../../../lib/core/text/error-text.js';

describe('places in a stack', () => {
  for (const [line, place, why] of [
    ['    at act (file:///x/a%20b.mjs:3:9)', { file: '/x/a b.mjs', line: 3, column: 9 }, 'a function of a module'],
    ['    at file:///x/a.mjs:3:9', { file: '/x/a.mjs', line: 3, column: 9 }, 'a module itself'],
    ['    at async act (file:///x/a.mjs:3:9)', { file: '/x/a.mjs', line: 3, column: 9 }, 'an async function'],
    ['    at async file:///x/a.mjs:3:9', { file: '/x/a.mjs', line: 3, column: 9 }, 'an async function without a name'],
    ['    at Object.<anonymous> (/x (1)/a.cjs:3:9)', { file: '/x (1)/a.cjs', line: 3, column: 9 }, 'CommonJS'],
    ['    at node:internal/process:3:9', null, 'Node itself is no file'],
    ['    at eval (eval at x (y), <anonymous>:1:2)', null, 'evaluated text is no file'],
    ['    at file://host%/x.js:1:1', null, 'nor is what is not a URL'],
    ['at /x/a.js:3:9', null, 'a line of a message is no frame'],
  ])
    it(why, () => expect(placesIn(`Error: x\n${line}`)).to.deep.equal(place ? [place] : []));

  it('a message that looks like the beginning of many frames takes linear time', () => {
    const stack = `Error: x\n    at ${' (/'.repeat(6600)}`;
    for (let i = 0; i < 500; i++) expect(placesIn(stack)).to.deep.equal([]);
  });

  it('anything but a text names no place', () => {
    for (const stack of [undefined, null, 1, {}]) expect(placesIn(stack)).to.deep.equal([]);
  });
});
