import { expect } from 'chai';

import benchrest from '../../../../index.js';
import { FORMER_NAMES } from '../../../../lib/core/run/options/other-names.js';
import { explainName } from '../../../../lib/core/run/options/names.js';
import { command } from '../../../support/command.js';
import { ok, serving } from '../../../support/serve.js';

/** Names of the alpha: as a flag, as an option, and what they are now; null: the name was none of this kind. */
const NAMES = [
  ['no-proxy', /^there is no --no-proxy: write --noproxy <hosts> .* or --proxy ''/, null],
  ['output', null, /^there is no output: it is outputs in the configuration file/],
  ['env-file', null, 'envFile is envFiles here'],
  [
    'transport',
    '--transport is --http-client now, and wire is builtin',
    'transport is httpClient now, and wire is builtin',
  ],
  ['lookup-each', /^there is no --lookup-each: write --no-dns-cache/, /^there is no lookupEach: .* dnsCache: false$/],
  ['reconnect-rate', '--reconnect-rate is --requests-per-connection now', 'reconnectRate is requestsPerConnection now'],
  ['connection-rate', '--connection-rate is --rate-per-user now', 'connectionRate is ratePerUser now'],
  ['max-connection-requests', /is --max-requests-per-user now$/, /is maxRequestsPerUser now$/],
  ['max-overall-requests', /is --max-requests now$/, /is maxRequests now$/],
  ['min-version', null, 'minVersion is tlsMin now'],
  ['max-version', null, 'maxVersion is tlsMax now'],
  ['interval', '--interval is --series-interval now', 'interval is seriesInterval now'],
  ['queue', '--queue is --agents-queue now', 'queue is agentsQueue now'],
  ['pool', '--pool is --agents-pool now', 'pool is agentsPool now'],
  ['tolerate-lost', '--tolerate-lost is --agents-max-lost now', 'tolerateLost is agentsMaxLost now'],
  ['replace-lost', '--replace-lost is --agents-replace-lost now', 'replaceLost is agentsReplaceLost now'],
  ['include', '--include is --agents-include now', 'include is agentsInclude now'],
  ['fail-if-saturated', '--fail-if-saturated is --require-valid now', null],
  ['fail-on-doubt', '--fail-on-doubt is --require-valid now', null],
  ['ready', '--ready is --start-ready now', null],
  ['port', '--port is --serve-port now', null],
  ['delay', '--delay is --serve-delay now', null],
  ['error', '--error is --serve-error now', null],
  ['percent', '--percent is --serve-percent now', null],
];

describe('run/options/other-names: the alpha', () => {
  for (const [name, flag, option] of NAMES) {
    it(`${name} is answered with the name that replaces it`, () => {
      const answers = [flag && explainName(name, 'flag'), option && explainName(camel(name), 'option')];
      [flag, option].forEach((expected, i) => {
        if (expected instanceof RegExp) expect(answers[i]).to.match(expected);
        else expect(answers[i]).to.equal(expected);
      });
    });
  }

  it('the table has no other names', () =>
    expect(FORMER_NAMES.map(({ names }) => names)).to.have.members(
      NAMES.map(([name]) => name).filter((name) => name !== 'env-file'),
    ));

  it('a program with a word of the alpha among its own names runs, with the answer as a notice', () =>
    serving(ok, async (url) => {
      const warnings = [];
      const run = benchrest(url, { limit: 1, iterations: 1, pool: { maxSockets: 5 }, output: 'x' });
      run.on('warning', ({ message }) => warnings.push(message));
      expect((await run).errorCount).to.equal(0);
      expect(warnings.join()).to.include('pool is agentsPool now').and.include('outputs in the configuration file');
    }));

  it('a program of the alpha gets the names of today: of an ended run, and of hooks', async () => {
    await serving(ok, async (url) => {
      const read = ({ ms }) => ms;
      const ended = await benchrest({ main: [{ get: url, afterHooks: [read] }] }, { limit: 1, iterations: 1 }).catch(
        (error) => error,
      );
      expect(() => ended.why).to.throw('why is endReason now');
      expect(Object.keys(ended)).not.to.include('why');
      expect(ended.stats.errors.details[0].message).to.include('ms is serviceTime now');
    });
  });

  it('a flow of the alpha with a report function is refused', () =>
    expect(() => benchrest({ main: ['http://h/'], report: () => 'x' }, { limit: 1, iterations: 1 })).to.throw(
      'flow.report: is section here',
    ));

  it('the command and the configuration file answer with them', async () => {
    const { stderr, code } = await command(['--transport', 'wire', '--interval', '1s', '-n', '1', 'http://h/']);
    expect([code, stderr]).to.deep.equal([
      3,
      'bench-rest: unknown options\n  --transport is --http-client now, and wire is builtin\n  --interval is --series-interval now\nsee bench-rest --help\n',
    ]);
    expect((await command(['k8s', '--agents', '3', '-n', '9', 'http://h/'])).stderr).to.include('write --pods 3');
  });
});

/** @type {(name: string) => string} */
function camel(name) {
  return name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
}
