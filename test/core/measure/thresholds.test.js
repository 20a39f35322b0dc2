import { expect } from 'chai';

import { Histogram } from '../../../lib/core/measure/histogram.js';
import { judgeThresholds, supportOf } from '../../../lib/core/measure/judge-thresholds.js';
import { readThreshold } from '../../../lib/core/measure/thresholds.js';

const NAMES = ['GET /', 'GET /items?a>1', 'log in'];

describe('measure/thresholds', () => {
  const right = [
    ['p99<200ms', { operation: null, figure: 'responseTime.p99', operator: '<', bound: 200 }],
    [' p99.9 <= 1.5s ', { expression: 'p99.9 <= 1.5s', figure: 'responseTime.p99.9', operator: '<=', bound: 1500 }],
    ['mean<300us', { figure: 'responseTime.mean', bound: 0.3 }],
    ['errors<1%', { figure: 'errors', bound: 0.01, unit: 'ratio' }],
    ['errors==0', { figure: 'errors', bound: 0, unit: '' }],
    ['requests.rate>1000', { figure: 'requests.rate', bound: 1000, unit: '/s' }],
    ['iterations.rate>100', { figure: 'iterations.rate', bound: 100, unit: '/s' }],
    ['dropped==0', { figure: 'iterations.dropped' }],
    ['main.completed.median<1s', { figure: 'responseTime.p50' }],
    ['main.failed.p95<1s', { figure: 'main.failed.p95', unit: 'ms' }],
    [
      'loadGenerator.eventLoopUtilization<80%',
      { figure: 'loadGenerator.eventLoopUtilization', bound: 0.8, unit: 'ratio' },
    ],
    ['GET / rate>5', { operation: 'GET /', figure: 'rate', unit: '/s' }],
    ['status.500==0', { figure: 'status.500', operator: '==', bound: 0 }],
    ['serviceTime.p95<1s', { figure: 'serviceTime.p95', bound: 1000 }],
    ['GET / p95<50ms', { operation: 'GET /', figure: 'p95', bound: 50 }],
    ['GET /items?a>1 p95<50ms', { operation: 'GET /items?a>1', figure: 'p95', bound: 50 }],
    ['log in errors!=3', { operation: 'log in', figure: 'errors', operator: '!=', bound: 3 }],
    ['p99<200ms', { overMs: null }],
    [
      ' p99<200ms over 10s ',
      { expression: 'p99<200ms over 10s', figure: 'responseTime.p99', bound: 200, overMs: 10_000 },
    ],
    ['errors<1%  over  1.5m', { figure: 'errors', bound: 0.01, unit: 'ratio', overMs: 90_000 }],
    ['max<1s over 1s', { figure: 'responseTime.max', bound: 1000, overMs: 1000 }],
  ];
  for (const [text, expected] of right)
    it(`${text} is read`, () => expect(readThreshold(text, { operations: NAMES }).threshold).to.deep.include(expected));

  /** the metrics of a flow's hooks */
  const HOOKS = { names: ['step_0'], hasFunctions: true };
  const ofHooks = [
    ['step_0.p95<1s', { figure: 'step_0.p95', bound: 1000, unit: 'ms' }],
    ['check.p99.5<=2ms', { figure: 'check.p99.5', bound: 2, unit: 'ms' }],
    ['size.max<1000', { figure: 'size.max', bound: 1000, unit: '' }],
    ['step_0.count==20', { figure: 'step_0.count', bound: 20, unit: '' }],
    ['hits>10', { figure: 'hits', bound: 10, unit: '' }],
    ['load<1', { figure: 'load', bound: 1, unit: '' }],
  ];
  for (const [text, expected] of ofHooks)
    it(`${text} is read, of a metric of hooks`, () =>
      expect(readThreshold(text, { operations: NAMES, metrics: HOOKS }).threshold).to.deep.include(expected));

  for (const [text, metrics, reason] of [
    ['step_0.p95<100', HOOKS, /expected a time with its unit/],
    [
      'foo<5ms',
      undefined,
      /unknown figure foo: use one of min .* requests\.rate .*; times also of responseTime serviceTime ttfb /,
    ],
    ['rate>5', HOOKS, /unknown figure rate: write requests\.rate/],
    ['requests.foo>5', HOOKS, /unknown figure requests\.foo/],
    ['tfb.p99<1s', HOOKS, /unknown figure tfb\.p99, did you mean ttfb\.p99\?/],
    ['serverTiming.db<20ms', HOOKS, /unknown figure serverTiming\.db:/],
    ['hits>10', { names: ['step_0'], hasFunctions: false }, /unknown figure hits/],
    [
      'step_1.p95<1s',
      { names: ['step_0'], hasFunctions: false },
      /unknown figure step_1\.p95, did you mean step_0\.p95\?/,
    ],
  ])
    it(`${text} is refused with hooks ${JSON.stringify(metrics)}`, () =>
      expect(readThreshold(text, { operations: NAMES, metrics }).reason).to.match(reason));

  const wrong = [
    ['p99', 3, /has no comparison/],
    ['p99<', 4, /expected a time with its unit/],
    ['p99<200', 4, /expected a time with its unit/],
    ['p99 <  fast', 7, /expected a time/],
    ['p101<5ms', 0, /unknown figure p101/],
    ['errors<1%%', 7, /expected a number or a share/],
    ['requests.rate>', 14, /expected a number/],
    ['<5ms', 0, /unknown figure/],
    ['requests.ratte>5', 0, /unknown figure requests\.ratte, did you mean requests\.rate\?/],
    ['rate>150', 0, /write requests\.rate for requests per second, or iterations\.rate for iterations per second/],
    ['count>5', 0, /write iterations\.started for iterations, or requests\.sent for requests/],
    ['requests.failed>5', 0, /did you mean requests\.unanswered\?/],
    ['errors.share<1%', 0, /did you mean errors, as in 'errors<1%' or 'errors<10'\?/],
    ['errors.count<5', 0, /did you mean errors, as in 'errors<1%' or 'errors<10'\?/],
    ['p(95)<5ms', 0, /unknown figure p\(95\), did you mean p95, as in/],
    ['avg<5ms', 0, /unknown figure avg, did you mean mean\?/],
    ['latency<5ms', 0, /unknown figure latency, did you mean p95, as in/],
    ['http_req_duration<5ms', 0, /did you mean p95, as in/],
    ['errorRate<1%', 0, /did you mean errors, as in/],
    ['rps>5', 0, /did you mean requests\.rate, as in/],
    ['GET /x p95<5ms', 0, /no operation is called "GET \/x", did you mean "GET \/"\?/],
    ['GET / late>5', 6, /unknown figure late of an operation, did you mean rate\?/],
    ['status.99==0', 0, /unknown figure/],
    ['constructor<5', 0, /unknown figure/],
    ['GET / constructor<5', 6, /unknown figure constructor of an operation/],
    ['GET / __proto__<5', 6, /unknown figure __proto__ of an operation/],
    ['p99<200ms over', 14, /expected the length of a window, at least 1s/],
    ['p99<200ms over 10', 15, /expected the length of a window/],
    ['p99<200ms over 500ms', 15, /expected the length of a window/],
    ['p99<200ms ever 10s', 4, /expected a time/],
    ['mean<200ms over 10s', 0, /windows are for percentiles, median and max of all iterations, and for errors/],
    ['requests.rate>100 over 10s', 0, /windows are for/],
    ['ttfb.p99<1s over 10s', 0, /windows are for/],
    ['GET / p95<50ms over 10s', 6, /windows are for/],
  ];
  for (const [text, column, reason] of wrong) {
    it(`${text} is refused at column ${column}`, () => {
      const reading = readThreshold(text, { operations: NAMES });
      expect(reading.column).to.equal(column);
      expect(reading.reason).to.match(reason);
    });
  }

  const histogram = new Histogram();
  for (let ms = 1; ms <= 1000; ms++) histogram.update(ms);
  const summary = histogram.summary(true);
  const empty = new Histogram().toJSON();
  const stats = {
    main: { completed: summary, serviceTime: summary },
    iterations: { started: 200, late: 4, dropped: 0, cancelled: 1 },
    requests: {
      rate: 90.5,
      statusCodes: { 200: 990, 500: 10 },
      connect: summary,
      tls: empty,
      ttfb: summary,
    },
    operations: [
      { name: 'GET /', count: 100, errors: 2, statusCodes: { 200: 98, 404: 2 }, times: { serviceTime: summary } },
      { name: 'never', count: 0, errors: 0, statusCodes: {}, times: { serviceTime: empty } },
    ],
    errors: { count: 3, share: 3 / 200 },
    loadGenerator: { eventLoopUtilization: 0.4 },
    metrics: {
      check: { meter: { count: 1000, mean: 12.5 }, histogram: summary },
      size: summary,
      hits: 7,
    },
  };
  const judged = [
    ['check.p95<951ms', true, summary.p95, 'ms'],
    ['check.p99.5<1s', true, 995, 'ms'],
    ['check.count==1000', true, 1000, ''],
    ['check.rate>20', false, 12.5, '/s'],
    ['size.p95<100', false, summary.p95, ''],
    ['hits>5', true, 7, ''],
    ['hits.count>5', false, null, ''],
    ['check>5', false, null, ''],
    ['check.p95<951', false, null, ''],
    ['absent.p95<1s', false, null, 'ms'],
    ['p95<951ms', true, summary.p95, 'ms'],
    ['p95<949ms', false, summary.p95, 'ms'],
    ['p99.5<1s', true, 995, 'ms'],
    ['p100<=1s', true, 1000, 'ms'],
    ['p50<600ms', true, summary.median, 'ms'],
    ['errors<2%', true, 0.015, 'ratio'],
    ['errors<3', false, 3, ''],
    ['requests.rate>90', true, 90.5, '/s'],
    ['late<4', false, 4, ''],
    ['status.500==0', false, 10, ''],
    ['status.503==0', true, 0, ''],
    ['tls.p95<1s', false, null, 'ms'],
    ['GET / p95<951ms', true, summary.p95, 'ms'],
    ['GET / p97.5<951ms', false, 975, 'ms'],
    ['GET / errors<=2%', true, 0.02, 'ratio'],
    ['GET / status.404<5', true, 2, ''],
    ['never p95<1s', false, null, 'ms'],
    ['never errors<1%', false, null, 'ratio'],
    ['never p97<1s', false, null, 'ms'],
  ];
  for (const [text, passed, actual, unit] of judged) {
    it(`${text} ${passed ? 'holds' : 'fails'} at ${actual}`, () => {
      const [judgement] = judgeThresholds([readThreshold(text, { metrics: HOOKS }).threshold], stats);
      expect(judgement).to.include({ expression: text, passed, unit });
      if (actual === null) expect(judgement.actual).to.equal(null);
      else expect(judgement.actual).to.be.closeTo(actual, actual * 0.001);
    });
  }

  describe('the values behind a percentile', () => {
    const histogram = { count: 50, median: 5, p99: 9 };
    const stats = {
      main: { completed: histogram, serviceTime: histogram },
      requests: {},
      operations: [
        { name: 'GET /', times: { serviceTime: { count: 0 } } },
        { name: 'PUT /', times: { serviceTime: histogram } },
      ],
      scenarios: [{ name: 'buy', times: { responseTime: histogram } }],
      groups: [{ name: 'checkout', times: { duration: histogram } }],
      metrics: { step_0: { meter: {}, histogram } },
    };
    for (const [expression, expected] of [
      ['p99<1s', { count: 50, needed: 100, label: 'p99' }],
      ['serviceTime.p99.9<1s', { count: 50, needed: 1000, label: 'p99.9' }],
      ['step_0.p99<1s', { count: 50, needed: 100, label: 'p99' }],
      ['p95<1s', { count: 50, needed: 20, label: 'p95' }],
      ['median<1s', { count: 50, needed: 2, label: 'p50' }],
      ['max<1s', null],
      ['errors<1%', null],
      ['PUT / p99<1s', { count: 50, needed: 100, label: 'p99' }],
      ['buy p99<1s', { count: 50, needed: 100, label: 'p99' }],
      ['checkout p99<1s', { count: 50, needed: 100, label: 'p99' }],
      ['GET / p99<1s', null],
      ['GET /gone p99<1s', null],
      ['ttfb.p99<1s', null],
    ])
      it(`${expression}: ${JSON.stringify(expected)}`, () =>
        expect(supportOf({ expression }, stats)).to.deep.equal(expected));
  });
});
