import { expect } from 'chai';

import benchrest from '../../index.js';
import { faulting } from '../support/faulty-server.js';
import { combinations } from '../support/scale.js';
import { deepFreeze, ok, serving } from '../support/serve.js';
import { awake, until } from '../support/until.js';
import { balance, leavingNothing } from './ground.js';

const MANY = { limit: 5, iterations: 40, timeout: 5000 };

describe('faulty hooks', () => {
  describe('C11 any value that a hook throws is an error of this hook, reported with its location', () => {
    const hostile = () =>
      new Proxy(
        {},
        {
          get() {
            throw new Error('look away');
          },
          has() {
            throw new Error('look away');
          },
          getPrototypeOf() {
            throw new Error('look away');
          },
        },
      );
    const rows = [
      ['an Error', () => new Error('ouch'), /ouch/],
      ['a string', () => 'ouch', /ouch/],
      ['undefined', () => undefined],
      ['null', () => null],
      ['a number', () => 7, /7/],
      ['a symbol', () => Symbol('ouch'), /ouch/],
      ['a frozen object', () => Object.freeze({ message: 'ouch' }), /ouch/],
      ['a Proxy that throws', hostile],
      [
        'an object whose message throws',
        () => ({
          get message() {
            throw new Error('x');
          },
        }),
      ],
      ['an object without a prototype', () => Object.create(null)],
      [
        'an object whose message is not a string',
        () => ({
          message: {
            toString() {
              throw new Error('x');
            },
          },
        }),
      ],
      ["an Error of one's own class", () => new (class extends TypeError {})('ouch'), /ouch/],
      [
        'an Error that calls itself a timeout',
        () => Object.assign(new Error('ouch'), { code: 'E_TIMEOUT_REQUEST', kind: 'timeout' }),
        /ouch/,
      ],
      [
        'an Error that calls itself cancelled',
        () => Object.assign(new Error('ouch'), { code: 'E_CANCELLED', kind: 'cancelled' }),
        /ouch/,
      ],
    ];
    const ways = [
      [
        'throws',
        (value) => () => {
          throw value();
        },
      ],
      [
        'rejects with',
        (value) => async () => {
          throw value();
        },
      ],
    ];
    for (const [what, value, message = /./] of rows) {
      for (const [[how, hook], place] of combinations(ways, ['beforeHooks', 'afterHooks'])) {
        it(`${place} ${how} ${what}`, () =>
          leavingNothing(() =>
            serving(ok, async (url, seen) => {
              const heard = [];
              const run = benchrest({ get: url, [place]: [hook(value)] }, MANY).on('error', (error) =>
                heard.push(error),
              );
              const { stats } = await run;
              balance(stats, seen.length);
              expect(stats.errors.kinds).to.deep.equal({ hook: 40 });
              expect(stats.errors.details[0].message)
                .to.match(new RegExp(`^flow\\.main\\[0\\]\\.${place}\\[0\\]: `))
                .and.match(message);
              expect(heard).to.have.lengthOf(40);
              expect(seen).to.have.lengthOf(place === 'beforeHooks' ? 0 : 40);
            }),
          ));
      }
      for (const [how, say] of [
        [
          'all.err',
          (all, thrown) => {
            all.err = thrown;
          },
        ],
        ['all.cb', (all, thrown) => all.cb(thrown)],
        ['{ err }', (all, thrown) => ({ err: thrown })],
      ]) {
        if (!value()) continue;
        it(`${how} is ${what}`, () =>
          leavingNothing(() =>
            serving(ok, async (url, seen) => {
              const { stats } = await benchrest({ get: url, afterHooks: [(all) => say(all, value())] }, MANY);
              balance(stats, 40);
              expect(stats.iterations.failed).to.equal(40);
              expect(stats.errors.details).to.have.lengthOf(1);
              expect(stats.errors.details[0].message).to.match(message);
              expect(seen).to.have.lengthOf(40);
            }),
          ));
      }
    }

    it('a hook that always fails at once does not block stops and timers', async () => {
      const run = benchrest(
        {
          get: 'http://127.0.0.1:1/',
          beforeHooks: [
            () => {
              throw new Error('ouch');
            },
          ],
        },
        { limit: 3, forever: true },
      );
      setTimeout(() => run.stop(), 50);
      const { stats, endReason } = await run;
      expect(endReason).to.equal('stopped');
      balance(stats, 0);
    });

    it('a hook that fails on the missing response does not hide the first error', () =>
      leavingNothing(() =>
        faulting(
          async (io) => {
            await io.readRequest();
            io.rst();
          },
          async (url) => {
            const { stats } = await benchrest(
              {
                get: url,
                afterHooks: [
                  (all) => {
                    all.response.statusCode;
                  },
                ],
              },
              { limit: 1, iterations: 1 },
            );
            expect(stats.errors.kinds).to.deep.equal({ reset: 1 });
          },
        ),
      ));
  });

  it('C12 a result that a hook reports late or twice is ignored', () =>
    leavingNothing(() =>
      serving(ok, async (url, seen) => {
        const late = (all) =>
          new Promise((resolve, reject) => {
            resolve(all);
            reject(new Error('again'));
            setTimeout(() => reject(new Error('later')), 5);
            setTimeout(() => {
              all.err = new Error('later');
              all.cb(new Error('later'));
            }, 5);
          });
        let ended = 0;
        const slow = () =>
          awake(700).then(() => {
            ended++;
            throw new Error('after the deadline');
          });
        const { stats } = await benchrest(
          [
            { get: url, afterHooks: [late] },
            { get: url, timeout: 500, afterHooks: [slow] },
          ],
          { limit: 5, iterations: 10 },
        );
        balance(stats, seen.length);
        expect(stats.errors.details.map(({ code, count }) => [code, count])).to.deep.equal([['E_TIMEOUT_HOOK', 10]]);
        await until(() => ended === 10);
      }),
    ));

  it('C15 changes by a hook stay in its own iteration', () =>
    leavingNothing(() =>
      serving(ok, async (url, seen) => {
        const flow = deepFreeze({
          headers: { 'x-flow': '1' },
          main: [{ put: `${url}/#{INDEX}`, json: { deep: { n: '#{INDEX}' } }, headers: { 'x-own': '1' } }],
        });
        const text = JSON.stringify(flow);
        const spoil = (all) => {
          const { requestOptions: options, env } = all;
          if (env.index % 2 === 0) return;
          options.headers['x-own'] = 'changed';
          options.json.deep.n = 'changed';
          delete options.headers['x-flow'];
          delete all.env;
          all.runCtx.left = 1;
        };
        const { stats } = await benchrest(
          { ...flow, main: [{ ...flow.main[0], beforeHooks: [spoil] }] },
          { limit: 5, iterations: 20 },
        );
        balance(stats, 20);
        expect(JSON.stringify(flow)).to.equal(text);
        for (const { url: path, headers, body } of seen) {
          const index = Number(path.slice(1));
          const isSpoilt = index % 2 === 1;
          expect(headers['x-own']).to.equal(isSpoilt ? 'changed' : '1');
          expect(headers['x-flow']).to.equal(isSpoilt ? undefined : '1');
          expect(JSON.parse(body)).to.deep.equal({ deep: { n: isSpoilt ? 'changed' : String(index) } });
        }
      }),
    ));

  const changes = [
    [
      'uri is undefined',
      (options) => {
        options.uri = undefined;
      },
    ],
    [
      'uri is not a URL',
      (options) => {
        options.uri = 'http://';
      },
    ],
    [
      'uri has a line end',
      (options) => {
        options.uri += '\r\nx';
      },
    ],
    [
      'a header has a line end',
      (options) => {
        options.headers.a = 'b\r\nInjected: 1';
      },
    ],
    [
      'a header has NUL',
      (options) => {
        options.headers.a = '\0';
      },
    ],
    [
      'a header name has a line end',
      (options) => {
        options.headers['a\r\nb'] = '1';
      },
    ],
    [
      'method has a line end',
      (options) => {
        options.method = 'GET / HTTP/1.1\r\nInjected: 1\r\n';
      },
    ],
    [
      'json is circular',
      (options) => {
        options.json = { a: 1 };
        options.json.self = options.json;
      },
    ],
    [
      'headers is not an object',
      (options) => {
        options.headers = 7;
      },
    ],
    [
      'socketPath is not a path',
      (options) => {
        options.socketPath = { a: 1 };
      },
    ],
    [
      'auth is invalid',
      (options) => {
        options.auth = { user: Symbol('ann') };
      },
    ],
    [
      'a header is a function',
      (options) => {
        options.headers.a = () => 'called';
      },
    ],
  ];
  for (const [what, change] of changes) {
    it(`C15 B17 an invalid request is not sent: ${what}`, () =>
      leavingNothing(() =>
        serving(ok, async (url, seen) => {
          const { stats } = await benchrest({ get: url, beforeHooks: [(all) => change(all.requestOptions)] }, MANY);
          balance(stats, 0);
          expect(seen).to.have.lengthOf(0);
          expect(stats.errors.kinds, JSON.stringify(stats.errors)).to.deep.equal({ hook: 40 });
          expect(stats.errors.details[0].message).to.match(/flow\.main\[0\]/);
        }),
      ));
  }

  for (const options of [0, '', false, 7, 'http://h/', Symbol('x')]) {
    it(`C15 request options replaced by ${String(options) === '' ? 'an empty string' : String(options)} are refused`, () =>
      leavingNothing(() =>
        serving(ok, async (url, seen) => {
          const { stats } = await benchrest(
            {
              get: url,
              beforeHooks: [
                (all) => {
                  all.requestOptions = options;
                },
              ],
            },
            MANY,
          );
          balance(stats, 0);
          expect(seen).to.have.lengthOf(0);
          expect(stats.errors.details).to.have.lengthOf(1);
          expect(stats.errors.details[0]).to.include({ kind: 'hook', code: 'E_REQUEST_FIELD' });
          expect(stats.errors.details[0].message).to.match(/^flow\.main\[0\]\.requestOptions expected an object/);
        }),
      ));
  }

  const spoils = [
    ['index', Object.create(null)],
    [
      'index',
      {
        toString() {
          throw new Error('no');
        },
      },
    ],
    ['jar', { no: 'jar' }],
    ['jar', 7],
    ['user', Symbol('ann')],
    ['password', Object.create(null)],
    ['iterCtx', null],
    ['etags', 7],
    ['stats', null],
  ];
  for (const [name, value] of spoils) {
    it(`C15 an invalid env.${name} fails only its own iteration`, () =>
      leavingNothing(() =>
        serving(
          (req, res) => {
            res.setHeader('set-cookie', 'a=1');
            res.end('ok');
          },
          async (url, seen) => {
            const spoil = (all) => {
              if (all.env.index % 2 === 0) return;
              if (name === 'password') all.env.user = 'ann';
              all.env[name] = value;
            };
            const flow = [
              { get: `${url}/#{INDEX}`, afterHooks: [spoil] },
              { get: `${url}/#{INDEX}`, beforeHooks: ['useEtag'], afterHooks: ['saveEtag'] },
              { get: `${url}/#{INDEX}` },
            ];
            const { stats } = await benchrest(flow, MANY);
            balance(stats, seen.length);
            expect(stats.iterations.completed).to.be.at.least(20);
            expect(Object.keys(stats.errors.kinds).filter((kind) => kind !== 'hook')).to.deep.equal([]);
            for (const { firstIndex, message } of stats.errors.details) {
              expect(firstIndex % 2).to.equal(1);
              expect(message).to.match(/^flow\.main\[[12]\]/);
            }
          },
        ),
      ));
  }

  for (const [what, hook] of [
    [
      'all is frozen',
      (all) => {
        Object.freeze(all);
      },
    ],
    [
      'env is frozen',
      (all) => {
        Object.freeze(all.env);
      },
    ],
    [
      'the request options are frozen',
      (all) => {
        Object.freeze(all.requestOptions);
      },
    ],
    [
      'a timer has a symbol as name',
      (all) => {
        all.env.stats.timer(Symbol('x')).update(1);
      },
    ],
    [
      'a timer has a name that is not a string',
      (all) => {
        all.env.stats
          .timer({
            toString() {
              throw new Error('no');
            },
          })
          .update(1);
      },
    ],
  ]) {
    it(`C15 ${what}: at most the iteration fails`, () =>
      leavingNothing(() =>
        serving(ok, async (url, seen) => {
          const { stats } = await benchrest({ get: url, beforeHooks: [hook], pause: 1 }, MANY);
          balance(stats, seen.length);
          expect(Object.keys(stats.errors.kinds).filter((kind) => kind !== 'hook')).to.deep.equal([]);
          expect(stats.iterations.started).to.equal(40);
          expect(JSON.parse(JSON.stringify(stats)).main.meter.count).to.equal(40);
        }),
      ));
  }

  it('C15 a Content-Length set by a hook that contradicts the body is refused', () =>
    leavingNothing(() =>
      serving(ok, async (url, seen) => {
        const { stats } = await benchrest(
          {
            put: url,
            body: 'b',
            beforeHooks: [
              (all) => {
                all.requestOptions.headers['Content-LENGTH'] = '7';
              },
            ],
          },
          MANY,
        );
        balance(stats, 0);
        expect(stats.errors.details[0].message).to.match(/headers\.Content-Length is 7, and the body has 1 bytes/);
        expect(seen).to.have.lengthOf(0);
      }),
    ));
});
