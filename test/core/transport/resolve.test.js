import dgram from 'node:dgram';
import { once } from 'node:events';

import { expect } from 'chai';

import { Resolver } from '../../../lib/core/transport/resolve.js';

const BOTH = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
];

/**
 * A resolver with a scripted lookup, on a clock moved by `pass(ms)`. Its timers fire `earlyMs` early; `asked` lists the
 * lookups.
 */
function resolving({ answer = () => [null, BOTH], earlyMs = 0, ...options } = {}) {
  const asked = [];
  let now = 0;
  let timers = [];
  const time = {
    now: () => now,
    after(fn, ms) {
      const timer = { at: now + ms - earlyMs, fn };
      timers.push(timer);
      return () => (timers = timers.filter((other) => other !== timer));
    },
  };
  const pass = async (ms) => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { fn } of due) fn();
    await new Promise(setImmediate);
  };
  const lookup = (hostname, given, callback) => {
    asked.push([hostname, given]);
    process.nextTick(callback, ...answer(hostname));
  };
  const resolver = new Resolver({ lookup, time, ...options });
  const ask = (hostname, how = {}) =>
    new Promise((resolve) => resolver.lookup(hostname, how, (...results) => resolve(results)));
  return { asked, ask, pass, resolver, timers: () => timers.length };
}

const codeError = (code, syscall = 'connect') => Object.assign(new Error(`${syscall} ${code} a`), { code, syscall });

describe('transport/resolve', () => {
  const rows = [
    [{ all: true }, [null, BOTH], 'all addresses are returned in their order'],
    [{}, [null, '::1', 6], 'the first address is returned without all'],
    [{ family: 4 }, [null, '127.0.0.1', 4], 'the first address of a family is returned'],
    [{ family: 4, all: true }, [null, [BOTH[1]]], 'all addresses of a family are returned'],
    [{ family: 0 }, [null, '::1', 6], 'family 0 is any'],
  ];
  for (const [how, expected, why] of rows)
    it(why, async () => expect(await resolving().ask('h', how)).to.deep.equal(expected));

  it('looks up all addresses once per host, even while the first lookup is pending', async () => {
    const { asked, ask } = resolving();
    await Promise.all([ask('a', { family: 4 }), ask('a', { all: true }), ask('b')]);
    await ask('a');
    expect(asked).to.deep.equal([
      ['a', { all: true }],
      ['b', { all: true }],
    ]);
  });

  it('looks up names for every connection with dnsCache: false', async () => {
    const { asked, ask } = resolving({ dnsCache: false });
    await ask('a');
    await ask('a');
    expect(asked).to.have.lengthOf(2);
  });

  it('looks up only that host again after a failed connect', async () => {
    const { asked, ask, resolver } = resolving();
    for (const host of ['a', 'b']) await ask(host);
    resolver.connectFailed('a', codeError('ECONNREFUSED'));
    for (const host of ['a', 'b']) await ask(host);
    expect(asked.map(([host]) => host)).to.deep.equal(['a', 'b', 'a']);
  });

  it('connections that fail one after the other share a lookup that is pending', async () => {
    const { asked, ask, resolver } = resolving();
    await ask('a');
    const waiting = [1, 2, 3].map(() => {
      resolver.connectFailed('a', codeError('ECONNREFUSED'));
      return ask('a');
    });
    await Promise.all(waiting);
    expect(asked).to.have.lengthOf(2);
  });

  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'])
    it(`keeps the addresses after a connect that failed by ${code}: the address is not the reason`, async () => {
      const { asked, ask, resolver } = resolving();
      await ask('a');
      resolver.connectFailed('a', codeError(code));
      await ask('a');
      expect(asked).to.have.lengthOf(1);
    });

  describe('N2 failed lookups', () => {
    const missing = codeError('ENOTFOUND', 'getaddrinfo');
    const again = codeError('EAI_AGAIN', 'getaddrinfo');

    for (const dnsCache of [true, false]) {
      const options = { dnsCache };
      const suffix = dnsCache ? '' : ' (no dnsCache)';

      it(`a name that does not exist fails at once for a second, then it is looked up again${suffix}`, async () => {
        const { asked, ask, pass } = resolving({ answer: () => [missing], ...options });
        for (let i = 0; i < 100; i++) expect(await ask('a')).to.deep.equal([missing]);
        await pass(999);
        expect(await ask('a')).to.deep.equal([missing]);
        expect(asked).to.have.lengthOf(1);
        await pass(1);
        expect(await ask('a')).to.deep.equal([missing]);
        expect(asked).to.have.lengthOf(2);
      });

      it(`after a temporary failure all connections wait for one lookup${suffix}`, async () => {
        const answers = [[again], [null, BOTH]];
        const { asked, ask, pass } = resolving({ answer: () => answers.shift(), ...options });
        expect(await ask('a')).to.deep.equal([again]);
        const waiting = [1, 2, 3].map(() => ask('a'));
        await pass(99);
        expect(asked).to.have.lengthOf(1);
        await pass(1);
        for (const results of await Promise.all(waiting)) expect(results).to.deep.equal([null, '::1', 6]);
        expect(asked).to.have.lengthOf(2);
      });
    }

    for (const earlyMs of [0, 0.5])
      it(`a lasting temporary failure is looked up less and less often, down to once per second${earlyMs ? ', although timers fire early' : ''}`, async () => {
        const { asked, ask, pass } = resolving({ answer: () => [again], earlyMs });
        await ask('a');
        for (const [i, ms] of [100, 200, 400, 800, 1000, 1000].entries()) {
          const waiting = ask('a');
          await pass(ms - 1);
          expect(asked).to.have.lengthOf(i + 1);
          await pass(1 - earlyMs);
          expect(await waiting).to.deep.equal([again]);
          expect(asked).to.have.lengthOf(i + 2);
        }
      });

    it('concurrent lookups count as one failure (no dnsCache)', async () => {
      const { asked, ask, pass } = resolving({ answer: () => [again], dnsCache: false });
      await Promise.all([1, 2, 3].map(() => ask('a')));
      expect(asked).to.have.lengthOf(3);
      const waiting = ask('a');
      await pass(100);
      expect(await waiting).to.deep.equal([again]);
    });

    it('a success ends the back-off', async () => {
      const answers = [[again], [null, BOTH], [again], [null, BOTH]];
      const { asked, ask, pass, resolver } = resolving({ answer: () => answers.shift() });
      for (let i = 1; i <= 2; i++) {
        expect(await ask('a')).to.deep.equal([again]);
        const waiting = ask('a');
        await pass(100);
        expect(await waiting).to.deep.equal([null, '::1', 6]);
        expect(asked).to.have.lengthOf(2 * i);
        resolver.connectFailed('a', codeError('ECONNREFUSED'));
      }
    });

    it('a failed name does not delay other names', async () => {
      const { ask } = resolving({ answer: (hostname) => (hostname === 'a' ? [again] : [null, BOTH]) });
      await ask('a');
      void ask('a');
      expect(await ask('b')).to.deep.equal([null, '::1', 6]);
    });

    it('the error of a lookup that a connection reports starts no other lookup', async () => {
      const { asked, ask, pass, resolver } = resolving({ answer: () => [again] });
      await ask('a');
      const waiting = [ask('a')];
      resolver.connectFailed('a', again);
      waiting.push(ask('a'));
      await pass(100);
      await Promise.all(waiting);
      expect(asked).to.have.lengthOf(2);
    });

    it('a name without addresses does not exist, and is not cached', async () => {
      const answers = [
        [null, []],
        [null, BOTH],
      ];
      const { ask, pass } = resolving({ answer: () => answers.shift() });
      expect((await ask('a'))[0].code).to.equal('ENOTFOUND');
      await pass(1000);
      expect(await ask('a')).to.deep.equal([null, '::1', 6]);
    });

    it('close ends the queries to a DNS server that does not answer', async () => {
      const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1');
      await once(socket, 'listening');
      const resolver = new Resolver({ resolver: `127.0.0.1:${socket.address().port}` });
      const error = new Promise((resolve) => resolver.lookup('a.test', {}, resolve));
      resolver.close();
      expect((await error).message).to.include('ECANCELLED');
      socket.close();
    });

    it('close leaves no timer', async () => {
      const { ask, resolver, timers } = resolving({ answer: () => [again] });
      await ask('a');
      void ask('a');
      expect(timers()).to.equal(1);
      resolver.close();
      expect(timers()).to.equal(0);
    });
  });

  for (const [what, addresses, how] of [
    ['no address', [], {}],
    ['no address of this family with all', [], { all: true }],
  ]) {
    it(`${what} counts as a name that does not exist`, async () => {
      const [error, ...rest] = await resolving({ answer: () => [null, addresses] }).ask('h.test', how);
      expect(error).to.include({ code: 'ENOTFOUND', syscall: 'getaddrinfo', message: 'no address of h.test' });
      expect(rest).to.deep.equal([]);
    });
  }

  it('a name without an address of this family says so', async () => {
    const [error] = await resolving({ answer: () => [null, [BOTH[0]]] }).ask('h.test', { family: 4 });
    expect(error).to.include({ code: 'E_FAMILY', kind: 'dns' });
    expect(error.message).to.match(/^h\.test has no IPv4 address;/);
  });

  it('a lookup that throws counts as failed', async () => {
    const [error] = await resolving({
      answer: () => {
        throw new TypeError('bad name');
      },
    }).ask('h');
    expect(error).to.be.an.instanceOf(TypeError);
  });

  it('drops names when there are too many', async () => {
    const { asked, ask } = resolving();
    for (let i = 0; i <= 1000; i++) await ask(`h${i}`);
    await ask('h1000');
    await ask('h0');
    expect(asked.slice(1000).map(([host]) => host)).to.deep.equal(['h1000', 'h0']);
  });
});
