import { expect } from 'chai';

import { reachingIn, RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { commandHere } from './support/command.js';
import { inFolder } from './support/in-folder.js';

/** Options that do nothing but what the requests of a flow could do as well. */
const WITHIN_A_FLOW = `
  iterations limit workers duration forever precision maxDuration rate arrival pacing seed stages scale speed
  maxBacklog warmup rampUp pause ratePerUser maxRequestsPerUser maxRequests prealloc shard startAt runId signal headers
  cookies args user password credentialsFor allowTargets traceContext traceLink timeout gracefulStop teardownTimeout
  maxBodySize maxBodyMemory maxHeaderSize harCookies harTiming maxHeaderFields httpClient pipelining http2 connections
  streams connectTimeout requestsPerConnection dnsCache family connectTo resolver keepAlive socketPath insecure ca cert
  key pfx passphrase servername tlsMin tlsMax ciphers proxy noProxy proxyInsecure thresholds abortOnFail abortOnFailOf
  abortAfter bailout strict keepGoing progress quiet title label percentiles seriesInterval expectedInterval
  trace baseUrl target agents agentsQueue agentsPool agentsTimeout agentsMaxLost
  agentsInclude retryAfter
`
  .trim()
  .split(/\s+/);

const REACHING = {
  log: 'all.csv',
  otlp: 'http://127.0.0.1:1',
  prometheus: ':0',
  envFiles: '.env',
  start: 'touch proof',
  watch: '1',
  profile: 'cpu',
  addons: './my-addon.js',
};

describe('run options that reach beyond the requests of a flow', () => {
  it('each option either says what it reaches, or is known to reach nothing', () => {
    const [reaching, others] = [true, false].map((reaches) =>
      RUN_OPTIONS.filter((row) => (row.reaches !== undefined) === reaches).map(({ name }) => name),
    );
    expect(reaching.sort()).to.deep.equal(Object.keys(REACHING).sort());
    // Decide here for a new option: may a flow of somebody else set it?
    expect(others.sort()).to.deep.equal(WITHIN_A_FLOW.sort());
  });

  for (const row of reachingIn(REACHING))
    it(`a flow that is data cannot set ${row.name}, in any format, and a flow that is code can`, () => {
      const runOptions = { [row.name]: REACHING[row.name] };
      const flow = { main: ['http://127.0.0.1:1/'], runOptions };
      const files = {
        'flow.json': JSON.stringify(flow),
        'flow.yaml': JSON.stringify(flow),
        'flow.mjs': `export default ${JSON.stringify(flow)}`,
      };
      return inFolder(async (cwd) => {
        for (const args of [['flow.json'], ['flow.yaml']]) {
          const { code, stderr } = await commandHere(['-n', '1', ...args], { cwd });
          expect(code).to.equal(2);
          expect(stderr).to.include(`flow.runOptions.${row.name}: ${row.reaches}, which only a flow that is a module`);
        }
        const { stderr } = await commandHere(['-n', '1', '--print-plan', 'flow.mjs'], { cwd });
        expect(stderr).to.not.include('only a flow that is a module');
      }, files);
    });

  const NARROW = ['api.test:443', '*.b.test:*'];
  for (const [own, isRefused] of [
    [['*:*'], true],
    [['api.test:80'], true],
    [['api.test:*'], true],
    [['*.test:443'], true],
    [['c.test:1'], true],
    [null, true],
    [['api.test:443'], false],
    [['API.test:443', 'x.b.test:80', '*.b.test:*', '*.c.b.test:1'], false],
  ])
    for (const file of ['flow.json', 'flow.mjs'])
      it(`allowTargets ${JSON.stringify(own)} of ${file} ${isRefused ? 'cannot widen' : 'may narrow'} those of the configuration`, () => {
        const flow = JSON.stringify({ main: ['https://api.test/'], runOptions: { allowTargets: own } });
        const files = {
          'package.json': '{}',
          '.bench-restrc.json': JSON.stringify({ allowTargets: NARROW }),
          [file]: file.endsWith('.mjs') ? `export default ${flow}` : flow,
        };
        return inFolder(async (cwd) => {
          const { stderr, code } = await commandHere(['-n', '1', '--print-plan', file], { cwd });
          const refusal = 'flow.runOptions.allowTargets: the configuration allows api.test:443, *.b.test:* alone';
          if (isRefused) expect(stderr).to.include(refusal);
          else expect(code, stderr).to.equal(0);
        }, files);
      });
});
