import { stripVTControlCharacters } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';

import { expect } from 'chai';

import { HdrCounts } from '../../../lib/core/measure/hdr-counts.js';
import { LiveFigures } from '../../../lib/core/report/live/live-figures.js';
import { Frames } from '../../../lib/addons/screen/frame.js';
import { HeatStrip } from '../../../lib/addons/screen/heat.js';
import { start } from '../../../lib/addons/screen/index.js';
import { NO_STATE, screenModel, stateModel } from '../../../lib/addons/screen/model.js';
import { widthOf } from '../../../lib/core/report/text/layout.js';
import { AlternateScreen } from '../../../lib/addons/screen/terminal.js';
import fc from '../../support/fast-check.js';
import { scaled } from '../../support/scale.js';
import { until } from '../../support/until.js';

const SIZES = [
  [100, 30],
  [140, 45],
  [200, 60],
];
const ENTER = '\u001b[?1049h';
const LEAVE = '\u001b[?1049l';

const times = (median, p95 = median * 2, p99 = median * 3) => ({
  ...{ count: 1000, min: median / 2, max: p99 * 2, sum: 1, mean: median, median },
  ...{ p75: median, p90: median, p95, p99, p999: p99, stddev: 1, variance: 1, outOfRange: 0 },
});
const NO_TIMES = { count: 0, sum: 0, outOfRange: 0, min: null, max: null, median: null, p95: null, p99: null };

/** The results of a run after ten seconds. */
function statsOf(given = {}) {
  const point = (at) => ({
    ...{ at, errors: 0, concurrency: 1, loadGenerator: { eventLoopUtilization: 0.1 } },
    iterations: { completed: 300, completedRate: 300, failed: 0 },
    responseTime: { median: 1.46, p95: 2.71, p99: 4.34, max: 9 },
  });
  return {
    totalElapsed: 10_000,
    measuredElapsed: 10_000,
    main: { completed: times(1.46), serviceTime: times(1.46), failed: NO_TIMES },
    iterations: { started: 3000, completed: 2990, failed: 10, cancelled: 0, late: 3, maxBacklog: 5, dropped: 0 },
    requests: { answered: 3000, statusCodes: { 200: 2900, 404: 60, 503: 40 }, ttfb: times(1) },
    connections: { connect: times(1) },
    loadGenerator: {},
    metrics: {},
    operations: [operation('GET /items/#{INDEX}', 0.5), operation('PUT /carts/#{INDEX}', 2)],
    series: { interval: 1000, points: Array.from({ length: 10 }, (_, i) => point(i * 1000)), spread: {} },
    errors: { count: 10, details: [] },
    ...given,
  };
}

function operation(name, median) {
  const shared = { labels: {}, statusCodes: { 200: 1 }, phase: 'main', protocol: 'http' };
  return { ...shared, name, count: 1500, errors: 0, times: { serviceTime: times(median) } };
}

/** Response times of ten seconds. */
function stripOf() {
  const strip = new HeatStrip();
  strip.add(
    Array.from({ length: 10 }, (_, i) => {
      const counts = new HdrCounts();
      for (let us = 800; us < 6000; us += 100) counts.record(us, Math.ceil(10_000 / us));
      return { from: i * 1000, to: (i + 1) * 1000, counts: counts.toBytes() };
    }),
  );
  return strip;
}

const TICK = { phase: 'main', elapsedMs: 10_000, share: 0.25, ended: 3000, inFlight: 7, errors: 10 };

function modelOf(given = {}, more = {}) {
  const figures = new LiveFigures();
  const stats = statsOf(given);
  figures.state(stats);
  figures.tick(TICK);
  return screenModel({
    head: { title: 'shop.mjs', subtitle: '300/s against http://localhost:3000' },
    totalMs: 40_000,
    tick: TICK,
    figures,
    state: stateModel(stats, figures),
    strip: stripOf(),
    messages: [],
    ...more,
  });
}

/** The texts of a frame, one for each row. */
const textsOf = (model, [columns, rows], { depth = 1, unicode = true } = {}) =>
  new Frames().next(model, { columns, rows, depth, unicode }).map((row) => row.map(({ text }) => text).join(''));
const plainOf = (...given) => textsOf(...given).map((row) => stripVTControlCharacters(row).trimEnd());

/** Checks that a frame fits its screen, whatever is in it. */
function expectFitting(model, size, look) {
  const frame = new Frames().next(model, { columns: size[0], rows: size[1], ...look });
  expect(frame).to.have.lengthOf(size[1]);
  for (const row of frame) {
    const text = stripVTControlCharacters(row.map((one) => one.text).join(''));
    expect(widthOf(text), text).to.be.at.most(size[0]);
    expect(text, 'no control characters').not.to.match(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    // some characters take no column of their own before a space
    expect(row.filter((one) => widthOf(stripVTControlCharacters(one.text)) > one.width)).to.deep.equal([]);
  }
}

describe('the screen of a run', () => {
  const errors = [
    {
      ...{ kind: 'status', code: 'E_STATUS', phase: 'main', path: 'flow.main[0]', operation: 'GET /', count: 40 },
      ...{ firstIndex: 3, message: 'expected 2xx, received 503 with token=CANARY' },
    },
  ];
  const thresholds = [
    {
      expression: 'p95<5ms',
      figure: 'responseTime.p95',
      of: {},
      operator: '<',
      bound: 5,
      actual: 2.71,
      unit: 'ms',
      passed: true,
    },
    {
      expression: 'errors<1%',
      figure: 'errors',
      of: {},
      operator: '<',
      bound: 0.01,
      actual: 0.02,
      unit: 'ratio',
      passed: false,
    },
  ];

  for (const size of SIZES) {
    it(`${size.join(' x ')}: the parts of a run have their rows`, () => {
      const rows = plainOf(
        modelOf({ errors: { count: 40, details: errors }, thresholds }, { messages: ['hello'] }),
        size,
      );
      const text = rows.join('\n');
      expect(rows[0]).to.match(/^ shop\.mjs {3}300\/s against http:\/\/localhost:3000 +10 s of 40 s$/);
      expect(rows[1].trim())
        .to.match(/^━+─+$/)
        .and.have.lengthOf(size[0] - 2);
      expect(rows[1].match(/━/g)).to.have.lengthOf(Math.round((size[0] - 2) / 4));
      expect(rows[2]).to.equal(' 3,000 iterations   7 in flight   10 errors');
      expect(rows[4]).to.match(/^ iterations\/s( 300\.0)? +p50( 1\.46 ms)? +p95( 2\.71 ms)? +p99( 4\.34 ms)? *$/);
      expect(text).to.include('1.46 ms so far').and.include('hello').and.not.include('CANARY');
      expect(text).to.match(/PUT \/carts\/#\{INDEX\}|and 1 more/);
      expect(text)
        .to.match(/✓ p95<5ms {2}2\.71 ms/)
        .and.match(/✗ errors<1% {2}2\.00 %/);
      expect(text).to.match(/200 2,900 {3}404 60 {3}503 40/);
      expect(text).to.match(/40 {2}status in GET \/: expected 2xx, received/);
      expect(text).to.match(/└0 +.*40 s/);
    });
  }

  it('every size, with any number of colors, has rows of its width', () => {
    const model = modelOf({ errors: { count: 40, details: errors }, thresholds });
    for (let columns = 100; columns <= 210; columns += columns < 140 ? 1 : 7)
      expectFitting(model, [columns, 30 + (columns % 40)], { depth: columns % 3 ? 24 : 1, unicode: columns % 2 === 0 });
  });

  it('names, errors and messages of any kind stay in their rows', () =>
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { minLength: 3, maxLength: 12 }),
        fc.integer({ min: 100, max: 220 }),
        fc.integer({ min: 30, max: 70 }),
        fc.constantFrom(1, 4, 8, 24),
        fc.boolean(),
        (texts, columns, rows, depth, unicode) => {
          const [title, subtitle, message] = texts;
          const details = texts.map((text, i) => ({
            ...errors[0],
            message: text,
            operation: text,
            path: `flow.main[${i}]`,
          }));
          const model = modelOf(
            {
              errors: { count: 1, details },
              thresholds: texts.map((expression) => ({ ...thresholds[0], expression })),
              operations: texts.map((name, i) => operation(name, i + 1)),
            },
            { head: { title, subtitle }, messages: [message] },
          );
          expectFitting(model, [columns, rows], { depth, unicode });
        },
      ),
      { numRuns: scaled(8, 25) },
    ));

  it('a screen without colors has no escape sequences', () => {
    for (const row of textsOf(modelOf({ thresholds }), [140, 45])) expect(row).to.equal(stripVTControlCharacters(row));
  });

  it('is ASCII where the locale is not UTF-8', () => {
    const rows = [1, 4, 24].flatMap((depth) =>
      textsOf(modelOf({ thresholds }), [140, 45], { unicode: false, depth }).map(stripVTControlCharacters),
    );
    expect(rows.join('')).to.match(/^[ -~]*$/);
  });

  it('shows a run that has not begun', () => {
    const figures = new LiveFigures();
    const given = { tick: { ...TICK, phase: 'before', elapsedMs: null, share: 0, ended: 0 }, figures, state: NO_STATE };
    const rows = plainOf(modelOf({}, { ...given, strip: new HeatStrip() }), [100, 30]);
    expect(rows[0]).to.include('before and warm-up');
  });

  it('an arrival rate shows late and dropped iterations and the backlog; each of several loads has a row', () => {
    const iterations = { ...statsOf().iterations, plannedRate: 300, completedRate: 299, dropped: 4 };
    const load = (name) => ({
      ...{ name, phase: 'main', labels: {}, startAfter: 0, count: 10, errors: 0, rate: 10, iterations },
      ...{ times: { responseTime: times(1), serviceTime: times(1) }, virtualUsers: { started: 3 } },
      ...{ series: { interval: 1000, points: [] }, validity: { status: 'valid', reasons: [] } },
    });
    const text = plainOf(modelOf({ iterations, loads: [load('visits'), load('orders')] }), [140, 45]).join('\n');
    expect(text).to.include('3 late   4 dropped   backlog at most 5');
    expect(text)
      .to.match(/visits +.*300\.0 +10\.0/)
      .and.match(/orders +.*300\.0 +10\.0/);
  });

  it('100 x 30 has all parts of a run with several loads: the figures are small, and no part has less than it can use', () => {
    const load = (name) => ({
      ...{ name, phase: 'main', labels: {}, startAfter: 0, count: 10, errors: 0, rate: 10 },
      ...{ iterations: statsOf().iterations, virtualUsers: { started: 3 } },
      ...{ times: { responseTime: times(1), serviceTime: times(1) } },
      ...{ series: { interval: 1000, points: [] }, validity: { status: 'valid', reasons: [] } },
    });
    const given = { loads: ['visits', 'orders', 'search'].map(load), thresholds };
    const rows = plainOf(modelOf({ ...given, errors: { count: 40, details: errors } }), [100, 30]);
    const text = rows.join('\n');
    for (const part of ['response time', 'operations', 'loads', 'thresholds', 'responses', 'errors'])
      expect(text, part).to.match(new RegExp(`^ ${part}`, 'm'));
    for (const name of ['visits', 'orders', 'search', 'PUT /carts'])
      expect(text).to.match(new RegExp(`^ ${name}`, 'm'));
    expect(text).not.to.match(/and \d+ more/);
  });

  it('draws what is below the figures again only if it has changed', () => {
    const frames = new Frames();
    const size = { columns: 140, rows: 45, depth: 24, unicode: true };
    const model = modelOf({ thresholds });
    const [first, second] = [model, { ...model, time: '11 s of 40 s' }].map((one) => frames.next(one, size));
    expect(second[0]).not.to.deep.equal(first[0]);
    const below = second.findIndex((row, y) => row === first[y]);
    expect(below).to.equal(8);
    expect(second.slice(below).every((row, y) => row === first[below + y])).to.equal(true);
    for (const [one, other] of [
      [{ ...model, messages: ['new'] }, size],
      [model, { ...size, columns: 150 }],
      [model, { ...size, depth: 1 }],
    ])
      expect(frames.next(one, other)[20]).not.to.equal(first[20]);
  });

  it('a list that does not fit ends with the number of other entries', () => {
    const operations = Array.from({ length: 80 }, (_, i) => operation(`GET /${i}`, 1));
    expect(plainOf(modelOf({ operations }), [100, 30]).join('\n')).to.match(/and \d+ more/);
  });

  it('counts the errors and statuses that have no room, not their lines', () => {
    const details = Array.from({ length: 50 }, (_, i) => ({
      ...errors[0],
      message: `number ${i} ${'is a long message '.repeat(9)}`,
      path: `flow.main[${i}]`,
    }));
    const statusCodes = Object.fromEntries(Array.from({ length: 99 }, (_, i) => [400 + i, 1]));
    const requests = { ...statsOf().requests, statusCodes };
    const model = modelOf({ errors: { count: 50, details }, requests });
    const text = plainOf(model, [140, 38]).join('\n');
    const [ofStatuses, ofErrors] = ['responses', 'errors ─'].map((title) => {
      const part = text.slice(text.indexOf(title));
      return Number(/and (\d+) more/.exec(part)?.[1] ?? 0);
    });
    expect(text.match(/status in GET/g)).to.have.lengthOf(50 - ofErrors);
    expect(text.match(/ 4\d\d 1(?= |$)/gm)).to.have.lengthOf(99 - ofStatuses);
  });

  describe('a run whose iterations all fail', () => {
    const main = { completed: NO_TIMES, serviceTime: NO_TIMES, failed: times(1) };
    const iterations = { ...statsOf().iterations, completed: 0, failed: 3000, completedRate: 0 };
    const points = Array.from({ length: 10 }, (_, i) => ({
      ...statsOf().series.points[0],
      ...{ at: i * 1000, iterations: { completed: 0, completedRate: 0, failed: 300 } },
    }));
    const given = { main, iterations, errors: { count: 3000, details: errors } };

    it('has their rate, its course, and how many of them completed', () => {
      const { cards } = modelOf({ ...given, series: { interval: 1000, points } });
      expect(cards[0]).to.include({ label: 'iterations/s', value: '300.0', note: '0.00 of 300.0 completed' });
      expect(cards[0].course).to.deep.equal(new Array(9).fill(300));
    });

    it('has its operations', () => {
      const text = plainOf(modelOf(given), [140, 45]).join('\n');
      expect(text)
        .to.match(/operations, ms/)
        .and.match(/PUT .* 1,500/);
    });

    it('has its errors in the whole width if nothing else is known', () => {
      const rows = plainOf(modelOf({ ...given, operations: [] }), [140, 45]);
      expect(rows.find((row) => row.includes('status in GET'))).to.match(/^ +40 {2}status in/);
    });
  });

  it('a maximum in place of p99 has its own course, and that of the whole run', () => {
    const points = statsOf().series.points.map((point) => ({
      ...point,
      iterations: { completed: 50, completedRate: 50, failed: 0 },
    }));
    const { cards } = modelOf({ series: { interval: 1000, points } });
    expect(cards[3]).to.include({ label: 'max', value: '9.00', note: '8.76 ms so far' });
    expect(cards[3].course).to.deep.equal(new Array(9).fill(9));
  });

  describe('heat', () => {
    const scale = { low: 0.1, high: 10, rows: 20, columns: 10, endMs: 10_000 };
    const intervalOf = (from, to, ...us) => {
      const counts = new HdrCounts();
      for (const value of us) counts.record(value);
      return { from, to, counts: counts.toBytes() };
    };
    const sum = (cells) => cells.reduce((all, cell) => all + cell, 0);

    it('each iteration is in the cell of its time', () => {
      const strip = new HeatStrip();
      strip.add([intervalOf(2000, 3000, 1001, 1001, 1001)]);
      const grid = strip.gridOf(scale);
      expect(grid.map(sum).map((cell) => Math.round(cell * 1000) / 1000)).to.deep.equal([0, 0, 3, 0, 0, 0, 0, 0, 0, 0]);
      expect(grid[2].findIndex((cell) => cell > 0.1)).to.be.within(9, 10);
    });

    it('times beyond the scale are in its first and last row', () => {
      const strip = new HeatStrip();
      strip.add([intervalOf(0, 1000, 5, 900_000)]);
      const [column] = strip.gridOf(scale);
      expect([column[0], column.at(-1), Math.round(sum(column))]).to.deep.equal([1, 1, 2]);
    });

    it('long runs have longer intervals, without a loss', () => {
      const strip = new HeatStrip();
      const one = intervalOf(0, 0, 1000);
      for (let i = 0; i < 5000; i++) strip.add([{ ...one, from: i * 1000, to: (i + 1) * 1000 }]);
      const grid = strip.gridOf({ ...scale, endMs: 5_000_000, columns: 50 });
      const all = grid.reduce((sum_, column) => sum_ + sum(column), 0);
      expect(Math.round(all)).to.equal(5000);
      for (const column of grid) expect(sum(column)).to.be.within(90, 110);
    });
  });

  describe('terminal', () => {
    /** A terminal that keeps what is written. */
    const terminal = (columns = 120, rows = 40) => {
      const texts = [];
      return {
        isTTY: true,
        columns,
        rows,
        texts,
        write: (text) => texts.push(text),
        taken: () => texts.splice(0).join(''),
      };
    };
    const row = (...texts) => texts.map((text) => ({ text, width: text.length }));

    it('writes what has changed and the last row, where keys are echoed unseen, and nothing if nothing has', () => {
      const lastRow = '\u001b[2;1Hthree\u001b[K';
      const unseen = '\u001b[1;2r\u001b[999;999H\u001b[8m';
      const frame = (changes) => `\u001b[?2026h\u001b[28m${changes}${lastRow}${unseen}\u001b[?2026l`;
      const stderr = terminal();
      const screen = new AlternateScreen(stderr, () => '');
      screen.enter();
      screen.draw([row('one', 'two'), row('three')]);
      stderr.taken();
      screen.draw([row('one', 'two'), row('three')]);
      expect(stderr.taken()).to.equal('');
      screen.draw([row('one', 'TWO'), row('three')]);
      expect(stderr.taken()).to.equal(frame('\u001b[1;4HTWO'));
      screen.draw([row('oneTWO'), row('three')]);
      expect(stderr.taken()).to.equal(frame('\u001b[1;1H\u001b[K\u001b[1;1HoneTWO'));
      screen.leave();
      expect(stderr.taken()).to.include('\u001b[0m\u001b[r').and.include('\u001b[?25h').and.include(LEAVE);
    });

    it('leaves frames out while the terminal is behind', () => {
      const stderr = terminal();
      const screen = new AlternateScreen(stderr, () => '');
      screen.enter();
      stderr.taken();
      stderr.writableNeedDrain = true;
      screen.draw([row('one')]);
      expect(stderr.taken()).to.equal('');
      stderr.writableNeedDrain = false;
      screen.draw([row('one')]);
      expect(stderr.taken()).to.include('one');
      screen.leave();
    });

    it('is restored when the process ends, and no listener stays', () => {
      const events = ['exit', 'uncaughtExceptionMonitor', 'SIGTSTP', 'SIGCONT', 'SIGQUIT'];
      const before = events.map((name) => process.listenerCount(name));
      const stderr = terminal();
      const screen = new AlternateScreen(stderr, () => 'kept\n');
      screen.enter();
      expect(process.listenerCount('exit')).to.equal(before[0] + 1);
      process.listeners('exit').at(-1)(0);
      expect(stderr.taken()).to.match(/\u001b\[\?1049lkept\n$/);
      expect(events.map((name) => process.listenerCount(name))).to.deep.equal(before);
    });

    const displayOn = (stderr, given = {}) =>
      start({ stderr, color: false, unicode: true, totalMs: 60_000, isWanted: true, ...given });

    it('printed lines follow the screen', () => {
      const stderr = terminal();
      const display = displayOn(stderr);
      display.print('a warning');
      display.stop();
      expect(stderr.taken()).to.match(/\u001b\[\?1049h[^]*\u001b\[\?1049la warning\n$/);
    });

    for (const [title, stderr, given] of [
      ['a terminal that is too narrow', terminal(99, 40), {}],
      ['a terminal that is too low', terminal(120, 29), {}],
      ['a run that has not begun', terminal(), { isWanted: false }],
    ])
      it(`${title} gets the bar`, () => {
        const display = displayOn(stderr, given);
        display.tick(TICK);
        display.stop();
        const text = stderr.taken();
        expect(text).to.include('in flight');
        expect(text).not.to.include(ENTER);
      });

    for (const [title, tick, isShown, totalMs = 60_000] of [
      ['a run that takes 5 s has the screen', { elapsedMs: 500, share: 0.1 }, true],
      ['a shorter one has the bar', { elapsedMs: 500, share: 0.11 }, false],
      ['so has one with a shorter plan whose first iterations are late', { elapsedMs: 500, share: 0.01 }, false, 4999],
      ['a run without an end has the screen', { elapsedMs: 500, share: 0 }, true],
      ['a run has the bar before this is known', { elapsedMs: 499, share: 0.01 }, false],
    ])
      it(title, async () => {
        const stderr = terminal();
        const display = displayOn(stderr, { isWanted: false, totalMs });
        display.tick({ ...TICK, ...tick });
        const text = () => stderr.texts.join('');
        await (isShown ? until(() => text().includes(ENTER)) : wait(300));
        display.stop();
        expect(text().includes(ENTER)).to.equal(isShown);
      });

    it('a display that fails restores the terminal', () => {
      const stderr = terminal();
      const display = displayOn(stderr);
      expect(() => display.state({})).to.throw();
      expect(stderr.taken()).to.include(LEAVE);
    });
  });
});
