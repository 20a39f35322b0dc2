import { expect } from 'chai';

import { readFlow } from '../../../../lib/core/flow/compile.js';
import { proxySettings } from '../../../../lib/core/http/proxy.js';
import { fitToFlow } from '../../../../lib/core/run/options/fit-to-flow.js';
import { itSlow } from '../../../support/slow.js';

const URL = 'http://127.0.0.1/';
const compiled = (flow) => readFlow(flow).compile({});
const four = { beforeMain: [URL], main: [URL, URL], afterMain: [URL], before: [URL], after: [URL] };

describe('run/options/fit-to-flow', () => {
  const rows = [
    [
      { limit: 5, iterations: 7 },
      URL,
      { limit: 5, iterations: 7 },
      'options that do not depend on the flow stay the same',
    ],
    [
      { limit: 5, maxRequests: 103 },
      four,
      { iterations: 25 },
      'maxRequests becomes whole iterations; before and after do not count',
    ],
    [
      { limit: 5, maxRequestsPerUser: 11 },
      four,
      { iterationsOfLane: 2, iterations: 10 },
      'maxRequestsPerUser becomes iterations of a lane, and of all lanes',
    ],
    [
      { limit: 5, maxRequestsPerUser: 11, maxRequests: 12, iterations: 100 },
      four,
      { iterationsOfLane: 2, iterations: 3 },
      'the smallest limit applies',
    ],
    [{ limit: 5, pipelining: 10, forever: true }, URL, { limit: 50 }, 'pipelined requests become lanes'],
    [
      { limit: 5, pipelining: 10, maxRequestsPerUser: 2 },
      URL,
      { limit: 50, iterations: 10, iterationsOfLane: 2 },
      'maxRequestsPerUser applies to each connection, however many requests are in flight on it',
    ],
    [{ limit: 5, pipelining: 1 }, four, { limit: 5 }, 'pipelining of 1 changes nothing'],
  ];
  for (const [options, flow, fitted, why] of rows)
    it(why, () => expect(fitToFlow({ httpClient: 'builtin', ...options }, compiled(flow))).to.include(fitted));

  it('pipelining applies to the virtual users of stages and warm-up as well', () => {
    const options = { limit: 2, pipelining: 3, stages: [{ duration: 1, limit: 4 }], warmup: { duration: 1, limit: 1 } };
    expect(fitToFlow({ httpClient: 'builtin', ...options }, compiled(URL))).to.deep.include({
      stages: [{ duration: 1, limit: 12 }],
      warmup: { duration: 1, limit: 3 },
    });
    const rates = { stages: [{ duration: 1, rate: 4 }], warmup: { duration: 1 } };
    expect(fitToFlow({ httpClient: 'builtin', limit: 2, pipelining: 3, ...rates }, compiled(URL))).to.deep.include(
      rates,
    );
  });

  it('without limits of requests lanes have no limit of iterations', () => {
    expect(fitToFlow({ limit: 5, forever: true }, compiled(URL))).to.not.have.any.keys(
      'iterations',
      'iterationsOfLane',
    );
  });

  itSlow('a flow may have more operations than a function can have arguments', () => {
    const flow = compiled(URL);
    const main = Array(150_000).fill(flow.main[0]);
    expect(fitToFlow({ httpClient: 'builtin', limit: 1 }, { ...flow, main })).to.include({ limit: 1 });
  });

  it('all options that do not fit are reported together', () => {
    expect(() =>
      fitToFlow(
        { limit: 1, httpClient: 'builtin', maxRequests: 3, maxRequestsPerUser: 2, pipelining: 2 },
        compiled([URL, URL, URL, { get: URL, headers: { connection: 'close' } }]),
      ),
    )
      .to.throw()
      .with.property('problems')
      .that.has.lengthOf(3);
  });

  describe('connectTo', () => {
    const API = 'http://api.test/';
    const there = { host: '127.0.0.1', port: 7001 };
    const OF_RUN = { limit: 1, httpClient: 'builtin', forever: true };
    /** Notices of a flow that fits; its problems, if it does not. */
    const fitting = (flow, connectTo, proxy) => {
      const proxies = proxySettings(proxy === undefined ? {} : { proxy }, {});
      const notices = [];
      try {
        const steps = readFlow(flow).compile({ proxies, connectTo });
        fitToFlow({ ...OF_RUN, proxies, connectTo }, steps, (text) => notices.push(text));
        return { notices };
      } catch (error) {
        return { problems: error.problems.map(({ path, reason }) => `${path}: ${reason}`) };
      }
    };
    const NONE = { notices: [] };

    for (const [key, flow, why] of [
      ['api.test:80', API, 'name and port'],
      ['api.test:', API, 'any port of the name'],
      [':80', API, 'any name with the port'],
      [':', API, 'any name and port'],
      ['::1:443', 'https://[::1]/', 'an address of IPv6'],
    ])
      it(`a mapping for ${why} is used`, () => expect(fitting(flow, { [key]: there })).to.deep.equal(NONE));

    it('a mapping of the name of a proxy is used', () =>
      expect(fitting(API, { 'proxy.test:3128': there }, 'http://proxy.test:3128')).to.deep.equal(NONE));

    for (const [key, flow, reason, why] of [
      [
        'typo.test:80',
        API,
        'typo.test:80:127.0.0.1:7001 applies to no URL of this flow, which connects to api.test:80',
        'another name',
      ],
      [
        'api.test:443',
        API,
        'api.test:443:127.0.0.1:7001 applies to no URL of this flow, which connects to api.test:80',
        'the port of https, beside an http: URL',
      ],
      [
        '::1:80',
        ['https://[::1]/', API],
        '[::1]:80:127.0.0.1:7001 applies to no URL of this flow, which connects to [::1]:443, api.test:80',
        'another port of an address of IPv6',
      ],
      [
        'api.test:80',
        'unix:/tmp/none.sock:/',
        'api.test:80:127.0.0.1:7001 applies to no URL of this flow, which connects to unix sockets alone',
        'a flow to a unix socket',
      ],
    ])
      it(`a mapping that no URL uses is refused: ${why}`, () =>
        expect(fitting(flow, { [key]: there })).to.deep.equal({ problems: [`runOptions.connectTo: ${reason}`] }));

    it('a mapping that leaves out parts is named as it was written', () =>
      expect(fitting(API, { 'typo.test:': { port: 7001 } }).problems).to.deep.equal([
        'runOptions.connectTo: typo.test:::7001 applies to no URL of this flow, which connects to api.test:80',
      ]));

    for (const key of ['api.test:80', ':'])
      it(`a mapping of an origin behind a proxy is refused: ${key}`, () => {
        const [problem] = fitting(API, { [key]: there }, 'http://proxy.test:3128').problems;
        expect(problem).to.include('is not possible through the proxy http://proxy.test:3128, which looks up the name');
        expect(problem).to.match(/--proxy '' or --noproxy '\*' connects directly$/);
      });

    it('the proxy of an operation is refused, too', () =>
      expect(fitting({ get: API, proxy: 'http://proxy.test:3128' }, { 'api.test:80': there }).problems[0]).to.match(
        /remove proxy from the operation$/,
      ));

    it('a mapping for any name and port is refused beside a proxy of URLs that are computed', () =>
      expect(fitting({ get: () => API }, { ':': there }, 'http://proxy.test:3128').problems).to.have.lengthOf(1));

    for (const [flow, why] of [
      [{ main: [{ get: () => API }] }, 'a URL is computed'],
      [{ vars: { host: 'a' }, main: [{ get: 'http://#{host}.test/' }] }, 'a token is in the host of a URL'],
      [{ main: [async () => {}] }, 'a function makes requests'],
      [{ main: [{ get: API, beforeHooks: [(all) => all] }] }, 'a before-hook may set another URL'],
    ])
      it(`a mapping that no known URL uses has a notice if ${why}`, () => {
        const { notices } = fitting(flow, { 'typo.test:80': there });
        expect(notices).to.have.lengthOf(1);
        expect(notices[0]).to.match(
          /^runOptions\.connectTo: typo\.test:80:127\.0\.0\.1:7001 applies to no URL that is known/,
        );
      });

    it('if all URLs are mapped, another mapping may be for the target of a redirect, and has a notice', () => {
      const both = { 'api.test:80': there, 'api.test:443': there };
      expect(fitting(API, both).notices).to.have.lengthOf(1);
      expect(fitting({ get: API, followRedirect: false }, both).problems).to.have.lengthOf(1);
      expect(fitting([API, 'http://other.test/'], both).problems).to.have.lengthOf(1);
    });
  });
});
