import { expect } from 'chai';

import benchrest from '../index.js';
import { commandHere } from './support/command.js';
import { inFolder } from './support/in-folder.js';
import { ok, serving } from './support/serve.js';
import { NAMES } from './support/transports.js';

const hostOf = (url) => new URL(url).host;
const LOAD = { limit: 1, iterations: 2 };

describe('allowTargets', () => {
  for (const httpClient of NAMES)
    for (const [what, main] of [
      ['a redirect', () => [{ get: '/', maxRedirects: 3 }]],
      [
        'a captured URL',
        (other) => [{ get: '/', capture: { next: { header: 'location' } }, followRedirect: false }, other],
      ],
      [
        'a function',
        (_, url) => [async ({ request }) => void (await request({ get: url }).catch(() => {}), await request('/'))],
      ],
    ])
      it(`${what} leads to no other host: ${httpClient}`, () =>
        serving(ok, (other, foreign) =>
          serving(
            (_, res) => res.writeHead(302, { location: `${other}/x` }).end(),
            async (url, seen) => {
              const flow = { baseUrl: url, main: main('#{next}', `${other}/x`) };
              const options = { ...LOAD, httpClient, allowTargets: hostOf(url) };
              const { stats } = await benchrest(flow, options);
              expect(stats.errors.details.map(({ code }) => code)).to.include('E_TARGET_REFUSED');
              expect(seen).to.not.have.lengthOf(0);
              expect(foreign).to.deep.equal([]);
              const all = `${hostOf(url)},${hostOf(other)}`;
              expect((await benchrest(flow, { ...options, allowTargets: all })).errorCount).to.equal(0);
              expect(foreign).to.not.have.lengthOf(0);
            },
          ),
        ));

  for (const [what, given, options] of [
    ['a URL', ['http://b.test/'], {}],
    ['a WebSocket', [{ ws: 'ws://b.test/' }], {}],
    ['a proxy', ['http://a.test/'], { proxy: 'http://b.test:80' }],
    ['a unix socket', ['http://a.test/'], { socketPath: '/run/b.test:80' }],
    ['connectTo', ['http://a.test/'], { connectTo: 'a.test:80:b.test:80' }],
    ['a mapping of any name', ['http://a.test/'], { connectTo: '::b.test:80' }],
    ['a collector of metrics', ['http://a.test/'], { otlp: 'http://b.test:80' }],
  ])
    it(`nothing is sent if ${what} leads elsewhere`, async () => {
      let message = 'none';
      try {
        await benchrest({ main: given }, { ...LOAD, ...options, allowTargets: ['a.test:80'] });
      } catch (error) {
        ({ message } = error);
      }
      expect(message).to.match(/b\.test:80(?: is not among the targets| of this machine, which is not allowed)/);
    });

  it('a DNS server decides where names lead, so it has to be allowed', () => {
    for (const [resolver, target] of [
      ['10.0.0.2', '10.0.0.2:53'],
      ['10.0.0.2:5353', '10.0.0.2:5353'],
      ['[::1]:54', '[::1]:54'],
      ['::1', '[::1]:53'],
    ])
      expect(() => benchrest('http://a.test/', { ...LOAD, resolver, allowTargets: 'a.test:80' })).to.throw(
        `${target} is not among the targets`,
      );
  });

  it('the flag is stronger than the flow', () =>
    serving(ok, (url, seen) =>
      inFolder(
        async (cwd) => {
          const { stderr } = await commandHere(['--allow-target', 'a.test:*', 'flow.json'], { cwd });
          expect(stderr).to.include(`${hostOf(url)} is not among the targets`);
          expect(seen).to.deep.equal([]);
        },
        { 'flow.json': JSON.stringify({ main: [url], runOptions: { allowTargets: '*:*' } }) },
      ),
    ));
});
