import { expect } from 'chai';

import { readFlow } from '../../../../lib/core/flow/compile.js';
import { FLOW_PROPERTIES } from '../../../../lib/core/flow/normalize.js';
import { RUN_OPTIONS } from '../../../../lib/core/run/options/index.js';
import {
  commandLayers,
  maskedOption,
  shownOptions,
  programLayers,
  resolveLayers,
} from '../../../../lib/core/run/options/layers.js';
import { LOAD } from '../../../../lib/core/run/options/load.js';

const layers = ({ config = {}, ofFlow = {}, flow = {}, flags = {}, debug = null } = {}) =>
  commandLayers({
    config: { name: 'config', options: config },
    flow: readFlow({ main: [], runOptions: flow, ...ofFlow }).flow,
    from: 'flow',
    commandLine: [{ name: 'flags', options: flags }],
    debug,
  });
const resolved = (given) => resolveLayers(layers(given));

describe('run/options/layers', () => {
  for (const [given, user, password, fact] of [
    [{ flow: { user: 'ann:a:b' } }, 'ann', 'a:b', 'a user of the flow may have its password'],
    [{ config: { user: 'ann:pw' } }, 'ann', 'pw', 'so may one of the configuration file'],
    [{ config: { password: 'old' }, flow: { user: 'ann:pw' } }, 'ann', 'pw', 'the password is that of the layer'],
    [{ flow: { user: 'ann:pw' }, flags: { password: 'new' } }, 'ann', 'new', 'a stronger layer has another one'],
    [{ flow: { user: 'ann:pw', password: 'own' } }, 'ann:pw', 'own', 'beside a password it stays as in bench-rest 1'],
  ])
    it(fact, () => expect(resolved(given).options).to.include({ user, password }));

  it('a user of a program may have its password', () => {
    const { options } = resolveLayers(programLayers({}, { user: 'ann:pw' }));
    expect(options).to.include({ user: 'ann', password: 'pw' });
  });

  const rows = [
    [{}, 'default', 30_000, 'the default applies if no layer sets an option'],
    [{ config: { timeout: 1 } }, 'config', 1, 'the configuration file wins over the default'],
    [{ config: { timeout: 1 }, flow: { timeout: 2 } }, 'flow', 2, 'the flow wins over the configuration file'],
    [{ flow: { timeout: 2 }, flags: { timeout: 3 } }, 'flags', 3, 'the command line wins over the flow'],
    [{ flow: { timeout: 2 }, flags: { timeout: undefined } }, 'flow', 2, 'undefined sets nothing'],
    [{ flow: { timeout: 2 }, flags: { timeout: null } }, 'default', 30_000, 'null brings the default back'],
  ];
  for (const [given, origin, value, why] of rows) {
    it(why, () => {
      const { options, origins } = resolved(given);
      expect([options.timeout, origins.timeout]).to.deep.equal([value, origin]);
    });
  }

  const shared = RUN_OPTIONS.map(({ name }) => name).filter((name) => Object.hasOwn(FLOW_PROPERTIES, name));

  it('baseUrl, socketPath, headers and thresholds are run options and properties of a flow', () => {
    expect(shared.sort()).to.deep.equal(['baseUrl', 'headers', 'socketPath', 'thresholds']);
  });

  for (const name of shared) {
    const value = (text) => (name === 'headers' ? { [name]: text } : text);
    const set = (text) => ({ [name]: value(text) });
    const given = { config: set('config'), ofFlow: set('of flow'), flow: set('flow'), flags: set('flags') };
    for (const [without, winner] of [
      [[], 'flags'],
      [['flags'], 'flow'],
      [['flags', 'flow'], 'of flow'],
      [['flags', 'flow', 'ofFlow'], 'config'],
    ]) {
      it(`${name}: ${winner} wins${without.length > 0 ? ` without ${without.join(' and ')}` : ''}`, () => {
        const left = Object.fromEntries(Object.entries(given).filter(([layer]) => !without.includes(layer)));
        expect(resolved(left).options[name]).to.deep.equal(value(winner));
      });
    }
  }

  it('headers are merged field by field, whatever the case of their names', () => {
    const { options, origins } = resolved({
      config: { headers: { a: 'config', b: 'config', C: 'config', d: 'config' } },
      ofFlow: { headers: { B: 'flow', c: 'flow', e: 'flow' } },
      flow: { headers: { e: 'options' } },
      flags: { headers: { C: 'flags', d: null } },
    });
    expect(options.headers).to.deep.equal({ a: 'config', B: 'flow', C: 'flags', d: null, e: 'options' });
    expect(origins.headers).to.equal('config, flow, flags');
  });

  it('null removes the headers of weaker layers, and what is no object of fields is left to its check', () => {
    expect(resolved({ config: { headers: { a: 1 } }, flow: { headers: null } }).options).to.not.have.property(
      'headers',
    );
    expect(resolved({ ofFlow: { headers: { a: 1 } }, flow: { headers: 'a' } }).options.headers).to.equal('a');
  });

  it('the command runs one iteration if no layer says how the run ends', () => {
    expect(resolved().options).to.include({ iterations: 1, limit: 10, keepGoing: false, progress: 1000 });
    for (const name of ['duration', 'forever', 'stages', 'maxRequests', 'maxRequestsPerUser'])
      expect(resolved({ flow: { [name]: 5 } }).options).not.to.have.property('iterations');
  });

  it('a rate without an end is refused, wherever it comes from', () => {
    for (const given of [{ flags: { rate: 5 } }, { flow: { rate: 5 } }, { config: { rate: 5 } }]) {
      expect(() => resolved(given)).to.throw(/needs an end/);
      expect(() => resolved({ ...given, debug: () => {} })).to.not.throw();
    }
    expect(() => resolved({ flow: { rate: 5, duration: '1s' } })).to.not.throw();
  });

  it('flags that mean the length of a run in other tools are refused for a run of one iteration only', () => {
    for (const flags of [{ prealloc: 1000 }, { progress: 40 }]) {
      expect(() => resolved({ flags })).to.throw(/this run has 1 iteration/);
      for (const given of [{ flow: { iterations: 500 } }, { config: { duration: '1s' } }, { debug: () => {} }])
        expect(() => resolved({ flags, ...given })).to.not.throw();
    }
    expect(() => resolved({ config: { prealloc: 1000, progress: 40 } })).to.not.throw();
  });

  it('a program has the defaults of the library', () => {
    const { options } = resolveLayers(programLayers({ runOptions: {} }, null));
    expect(options).to.include({ keepGoing: true, progress: 0 }).and.not.have.any.keys('iterations', 'limit');
  });

  it('--debug resets every option of the load but the seed', () => {
    const all = Object.fromEntries(RUN_OPTIONS.map(({ name }) => [name, 'given']));
    const { options } = resolved({ config: all, flow: all, flags: all, debug: () => {} });
    const defaults = Object.fromEntries(LOAD.map((row) => [row.name, row.default]));
    for (const { name } of LOAD) {
      const expected = { iterations: 1, limit: 1, seed: 'given' }[name] ?? defaults[name];
      expect(options[name], name).to.equal(expected);
    }
    expect(options.timeout).to.equal('given');
  });

  it('results show the options that are not defaults of the library, without secrets and objects of the thread', () => {
    expect(
      shownOptions(layers({ flags: { limit: 3, timeout: 30_000, user: 'u', password: 'p', trace: () => {} } })),
    ).to.deep.equal({
      iterations: 1,
      limit: 3,
      progress: 1000,
      keepGoing: false,
      timeout: 30_000,
    });
  });

  it('results, events and --print-config show options without secrets', () => {
    const headers = { Accept: 'a', Authorization: 'Bearer CANARY', 'x-api-key': 'CANARY' };
    const shown = { headers: { Accept: 'a', Authorization: '***', 'x-api-key': '***' } };
    expect(shownOptions(layers({ flags: { headers } }))).to.deep.include(shown);
    expect(maskedOption('cookies', ['a=CANARY', 'b=CANARY'])).to.deep.equal({ a: '***', b: '***' });
    expect(maskedOption('cookies', 'CANARY')).to.deep.equal({});
    expect(maskedOption('args', ['token=CANARY', 'n=1'])).to.deep.equal({ token: '***', n: '1' });
    expect(maskedOption('args', 'CANARY')).to.deep.equal({});
    for (const name of ['key', 'pfx', 'passphrase']) expect(maskedOption(name, 'CANARY'), name).to.equal('***');
  });
});
