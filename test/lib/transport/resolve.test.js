import { expect } from 'chai';

import { createResolver } from '../../../lib/transport/resolve.js';

const BOTH = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
];

/** A resolver over a lookup that answers as told; `asked` lists what it was asked for. */
function resolving({ answer = () => [null, BOTH], ...options } = {}) {
  const asked = [];
  const lookup = (hostname, given, callback) => {
    asked.push([hostname, given]);
    process.nextTick(callback, ...answer(hostname));
  };
  const resolver = createResolver({ lookup, ...options });
  const ask = (hostname, how = {}) =>
    new Promise((resolve) => resolver.lookup(hostname, how, (...results) => resolve(results)));
  return { asked, ask, forget: resolver.forget };
}

describe('transport/resolve', () => {
  const rows = [
    [{ all: true }, [null, BOTH], 'all addresses, in the order in which they came'],
    [{}, [null, '::1', 6], 'the first, where one is wanted'],
    [{ family: 4 }, [null, '127.0.0.1', 4], 'the first of a family'],
    [{ family: 4, all: true }, [null, [BOTH[1]]], 'all of a family'],
    [{ family: 0 }, [null, '::1', 6], 'family 0 is any'],
  ];
  for (const [how, expected, why] of rows)
    it(why, async () => expect(await resolving().ask('h', how)).to.deep.equal(expected));

  it('asks for all addresses, once for each host, also while the first answer is awaited', async () => {
    const { asked, ask } = resolving();
    await Promise.all([ask('a', { family: 4 }), ask('a', { all: true }), ask('b')]);
    await ask('a');
    expect(asked).to.deep.equal([
      ['a', { all: true }],
      ['b', { all: true }],
    ]);
  });

  it('asks for every connection with lookupEach', async () => {
    const { asked, ask } = resolving({ lookupEach: true });
    await ask('a');
    await ask('a');
    expect(asked).to.have.lengthOf(2);
  });

  it('asks again after a failed connect, for that host alone', async () => {
    const { asked, ask, forget } = resolving();
    for (const host of ['a', 'b']) await ask(host);
    forget('a');
    for (const host of ['a', 'b']) await ask(host);
    expect(asked.map(([host]) => host)).to.deep.equal(['a', 'b', 'a']);
  });

  it('hands on what lookup says, and does not ask for what does not exist again', async () => {
    const error = Object.assign(new Error('getaddrinfo ENOTFOUND a'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
    const { asked, ask } = resolving({ answer: () => [error] });
    for (let i = 0; i < 2; i++) expect(await ask('a')).to.deep.equal([error]);
    expect(asked).to.have.lengthOf(1);
  });

  for (const [what, addresses, how] of [
    ['no address', [], {}],
    ['none of this family', [BOTH[0]], { family: 4 }],
    ['none of it, of all', [], { all: true }],
  ]) {
    it(`${what} is a name that is not found`, async () => {
      const [error, ...rest] = await resolving({ answer: () => [null, addresses] }).ask('h.test', how);
      expect(error).to.include({ code: 'ENOTFOUND', syscall: 'getaddrinfo', message: 'no address of h.test' });
      expect(rest).to.deep.equal([]);
    });
  }

  it('a lookup that throws is one that failed', async () => {
    const [error] = await resolving({
      answer: () => {
        throw new TypeError('bad name');
      },
    }).ask('h');
    expect(error).to.be.an.instanceOf(TypeError);
  });

  it('forgets names when there are too many', async () => {
    const { asked, ask } = resolving();
    for (let i = 0; i <= 1000; i++) await ask(`h${i}`);
    await ask('h1000');
    await ask('h0');
    expect(asked.slice(1000).map(([host]) => host)).to.deep.equal(['h1000', 'h0']);
  });
});
