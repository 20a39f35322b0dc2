import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';

import { benchrest } from '../../../lib/core/run/benchrest.js';
import { refusedPaths } from '../../support/refused-paths.js';
import { ok, serving } from '../../support/serve.js';
import { itSlow } from '../../support/slow.js';

const OPTIONS = { limit: 2, iterations: 4 };

describe('run/benchrest', () => {
  it('the problems of a flow and its options are thrown at once', () => {
    expect(() => benchrest({}, OPTIONS))
      .to.throw()
      .with.property('code', 'E_NO_MAIN');
    expect(() => benchrest('http://127.0.0.1:9/', {}))
      .to.throw()
      .with.property('code', 'E_NO_LIMIT');
    expect(() => benchrest('http://127.0.0.1:9/', { url: 'x', maxSeconds: 4, workers: 'x' })).to.throw(
      /^benchmark runOptions requires iterations and limit properties\n.*\.workers: expected .*\n.*\.maxSeconds: .* duration here.*\n.*\.url: .*the URL is the flow/,
    );
    expect(() => benchrest([{ gett: '/' }], OPTIONS))
      .to.throw()
      .with.property('code', 'E_FLOW');
    expect(() => benchrest('http://127.0.0.1:9/', { limit: 1, iterations: -1 }))
      .to.throw()
      .with.property('code', 'E_RUN_OPTIONS');
  });

  it('add-ons of the options are joined first', () => {
    for (const addons of ['./none.mjs', ['./none.mjs']])
      expect(() => benchrest('http://127.0.0.1:9/', { iterations: 1, limit: 1, addons }))
        .to.throw('the add-on ./none.mjs does not exist')
        .with.property('code', 'E_ADDON');
  });

  it('a callback gets the result, or the error of a run that could not start', () =>
    serving(ok, async (url) => {
      const called = (flow) => new Promise((resolve) => benchrest(flow, OPTIONS, (...values) => resolve(values)));
      const [error, stats, errorCount] = await called(url);
      expect([error, stats.iterations.completed, errorCount]).to.deep.equal([null, 4, 0]);
      const [refusal] = await called({ data: { users: 'missing.csv' }, main: [`${url}/#{users.a}`] });
      expect(refusal.code).to.equal('E_FLOW');
    }));

  it('the process is warned once of what several runs have in common, and each run emits it', () =>
    serving(ok, async (url) => {
      const ofProcess = [];
      const listen = ({ message }) => message.includes('ownOfBenchrestTest') && ofProcess.push(message);
      process.on('warning', listen);
      const ofRuns = [];
      for (let i = 0; i < 3; i++)
        await benchrest([{ get: url, ownOfBenchrestTest: i }], OPTIONS).on('warning', () => ofRuns.push(i));
      process.off('warning', listen);
      expect([ofProcess.length, ofRuns]).to.deep.equal([1, [0, 1, 2]]);
    }));

  describe('a few milliseconds without a unit in a flow are refused, as in flags:', () => {
    for (const [flow, path] of [
      [{ runOptions: { duration: 5 } }, 'runOptions.duration: 5s or 5ms?'],
      [{ runOptions: { pause: [1, 3] } }, 'runOptions.pause: 1s or 1ms?'],
      [{ runOptions: { stages: ['30s:5,60:20'] } }, 'runOptions.stages: 60s:20 or 60ms:20?'],
      [
        { main: undefined, scenarios: { a: { load: { duration: '5' }, main: ['/'] } } },
        'flow.scenarios.a.load.duration: 5s',
      ],
    ])
      it(JSON.stringify(flow), () =>
        expect(() => benchrest({ main: ['/'], ...flow }, { limit: 1, iterations: 1, baseUrl: 'http://a' })).to.throw(
          path,
        ),
      );
  });

  describe('a few milliseconds without a unit are noticed, in the words with which the command refuses them:', () => {
    const question = (path, text = '10s or 10ms') => `${path}: ${text}? A time needs a unit`;
    for (const [given, texts, operation = {}] of [
      [{ duration: 10 }, [question('runOptions.duration')]],
      [{ duration: '10' }, [question('runOptions.duration')]],
      [{ iterations: 1, timeout: 90 }, [question('runOptions.timeout', '90s or 90ms')]],
      [{ iterations: 1, warmup: 5 }, [question('runOptions.warmup', '5s or 5ms')]],
      [{ iterations: 1, warmup: { duration: '5' } }, [question('runOptions.warmup', '5s or 5ms')]],
      [{ iterations: 1, rampUp: 5 }, [question('runOptions.rampUp', '5s or 5ms')]],
      [{ stages: ['20:10'] }, [question('runOptions.stages', '20s:10 or 20ms:10')]],
      [{ iterations: 1, connectTimeout: 99 }, [question('runOptions.connectTimeout', '99s or 99ms')]],
      [{ iterations: 1 }, [question('flow.main[0].timeout')], { timeout: 10 }],
      [{ iterations: 1 }, [question('flow.main[0].pause', '1s or 1ms')], { pause: '1' }],
      [{ duration: '10ms', timeout: 0, warmup: '5ms' }, []],
      [{ iterations: 1, timeout: 100, rampUp: '0' }, []],
    ])
      it(JSON.stringify({ ...given, ...operation }), () =>
        serving(ok, async (url) => {
          const found = [];
          await benchrest({ get: url, ...operation }, { limit: 1, ...given }).on('warning', (w) =>
            found.push(w.message),
          );
          expect(found).to.deep.equal(texts);
        }),
      );
  });

  describe('options that are missing are named where they are:', () => {
    const callback = () => {};
    const url = 'http://localhost/';
    for (const [args, ...lines] of [
      [[url, callback], /^runOptions: there are none: write benchrest\(flow, \{ .* \}, callback\)$/],
      [
        [{ url, pipelining: 10, duration: 1 }, callback],
        /^runOptions: /,
        'flow.main[0].pipelining: it is a run option: write it in runOptions',
        'flow.main[0].duration: it is a run option: write it in runOptions',
      ],
      [
        [{ url, amount: 10, concurrency: 10 }, {}],
        "flow.main[0].amount: autocannon's amount is iterations here, a run option: write it in runOptions",
        'flow.main[0].concurrency: it is the run option limit here: write it in runOptions',
      ],
      [
        [[{ get: url, maxOverallRequests: 10 }], {}],
        "flow.main[0].maxOverallRequests: autocannon's maxOverallRequests is maxRequests here, a run option: write it in runOptions",
      ],
      [[{ main: [{ get: url }], limit: 10, mine: 1 }], 'flow.limit: it is a run option: write it in runOptions'],
    ])
      it(JSON.stringify(args), () => {
        let error;
        try {
          benchrest(...args);
        } catch (thrown) {
          error = thrown;
        }
        expect(error.code).to.equal('E_NO_LIMIT');
        const [first, ...others] = error.message.split('\n');
        expect(first).to.equal('benchmark runOptions requires iterations and limit properties');
        expect(others).to.have.lengthOf(lines.length);
        lines.forEach((line, i) => (line.test ? expect(others[i]).to.match(line) : expect(others[i]).to.equal(line)));
      });
  });

  it('a flow with run options of its own can have the callback as second argument', () =>
    serving(ok, async (url) => {
      const flow = { main: [url], runOptions: { limit: 1, iterations: 2 } };
      const [error, stats] = await new Promise((resolve) => benchrest(flow, (...values) => resolve(values)));
      expect([error, stats.iterations.completed]).to.deep.equal([null, 2]);
    }));

  itSlow('a program is warned of a path that replaces the path of the base URL, once', () =>
    serving(ok, async (url, seen) => {
      const warnings = [];
      const hear = ({ name, message }) => name === 'BenchRestWarning' && warnings.push(message);
      process.on('warning', hear);
      try {
        await benchrest({ main: ['/x', '/y'] }, { ...OPTIONS, workers: 1, baseUrl: `${url}/api` });
      } finally {
        process.off('warning', hear);
      }
      expect(seen).to.have.lengthOf(8);
      expect(warnings).to.have.lengthOf(1);
      expect(warnings[0]).to.include(`"/x" is sent to ${url}/x`).and.include('(and 1 more like this)');
    }),
  );

  describe('problems of options and of operations are reported together', () => {
    const wrong = { limit: 1.5, iterations: 4 };
    for (const [title, flow, options, expected] of [
      ['a limit and an operation', [{ get: 'http://h/', gett: 1 }], wrong, ['runOptions.limit', 'flow.main[0].gett']],
      [
        'a threshold and an operation',
        { main: [{ get: 'http://h/', gett: 1 }], thresholds: { p99: '<200' } },
        OPTIONS,
        ['thresholds[0]', 'flow.main[0].gett'],
      ],
      ['an option and a key of the flow', { main: ['http://h/'], mian: 1 }, wrong, ['runOptions.limit', 'flow.mian']],
      ['an option and a relative URL', ['/x'], wrong, ['runOptions.limit', 'flow.main[0].get']],
      ['a wrong base URL is not missing', ['/x'], { ...OPTIONS, baseUrl: 5 }, ['runOptions.baseUrl']],
      ['wrong arguments are not missing', ['http://h/#{args.x}'], { ...OPTIONS, args: 5 }, ['runOptions.args']],
      [
        'of a flow whose parts are not loaded, only its keys are checked',
        { main: [{ get: 'http://h/', gett: 1 }], data: { u: 'u.csv' }, mian: 1 },
        wrong,
        ['runOptions.limit', 'flow.mian'],
      ],
    ])
      it(title, () => expect(refusedPaths(flow, options)).to.deep.equal(['E_RUN_OPTIONS', ...expected]));
  });

  it('the options of the program win over those of the flow, and the flow is not changed', () =>
    serving(ok, async (url, seen) => {
      const flow = Object.freeze({ main: [url], runOptions: Object.freeze({ limit: 1, iterations: 100 }) });
      const { stats, errorCount, endReason } = await benchrest(flow, { iterations: 3 });
      expect([seen.length, stats.iterations.completed, errorCount, endReason]).to.deep.equal([3, 3, 0, 'completed']);
    }));

  it('a flow file is read by its path and by its URL', () =>
    serving(ok, async (url, seen) => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      try {
        const path = join(folder, 'flow.json');
        writeFileSync(path, JSON.stringify([url]));
        for (const flow of [path, pathToFileURL(path)]) await benchrest(flow, OPTIONS);
        expect(seen).to.have.lengthOf(8);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }));

  it('a flow file with a problem rejects the run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    try {
      const path = join(folder, 'flow.json');
      writeFileSync(path, '{"main": 5}');
      const error = await benchrest(path, OPTIONS).catch((cause) => cause);
      expect(error).to.have.property('code', 'E_NO_MAIN');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
