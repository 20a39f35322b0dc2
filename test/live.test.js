import { stripVTControlCharacters } from 'node:util';

import { expect } from 'chai';

import { start as startBar } from '../lib/addons/bar/index.js';
import { DISPLAYS } from '../lib/core/report/live/index.js';
import { start as startLines } from '../lib/core/report/live/lines.js';
import { FirstErrors, LiveFigures, durationText } from '../lib/core/report/live/live-figures.js';

const tick = (given) => ({ phase: 'main', elapsedMs: 1000, share: 0.5, ended: 100, inFlight: 7, errors: 0, ...given });
const point = ({ at = 0, count = 100, p50 = 50, p99 = 99 } = {}) => ({
  ...{ at, iterations: { completed: count } },
  responseTime: { median: p50, p99, max: 100 },
});
const sample = (i, given) => ({
  kind: 'status',
  code: `E_${i}`,
  operation: 'GET /',
  phase: 'main',
  message: 'failed with token=CANARY',
  firstIndex: i,
  ...given,
});
const state = (points = [], details = []) => ({ series: { interval: 1000, points }, errors: { details } });

/** A stream that keeps what is written. */
function stream(options) {
  const texts = [];
  return { ...options, write: (text) => texts.push(text), texts, text: () => texts.join('') };
}

describe('report/live', () => {
  it('each display has a name and a description', () => {
    for (const { name, about } of DISPLAYS) {
      expect(name).to.match(/^[a-z]+$/);
      expect(about.length).to.be.above(10);
    }
  });

  const terminals = [
    ['a terminal gets a bar', { isTTY: true }, {}, false, 'bar'],
    ['a terminal gets a bar even with a format for programs', { isTTY: true }, {}, true, 'bar'],
    ['a dumb terminal gets lines', { isTTY: true }, { TERM: 'dumb' }, false, 'lines'],
    ['a log gets lines', {}, {}, false, 'lines'],
    ['a log gets nothing with a format for programs', {}, {}, true, undefined],
  ];
  const screens = [
    ['a terminal gets the screen', 'auto', {}, false, 'screen'],
    ['a terminal of CI gets a bar', 'auto', { CI: '1' }, false, 'bar'],
    ['a terminal of CI gets the screen if the user wants it', 'always', { CI: '1' }, false, 'screen'],
    ['a terminal gets a bar if the user wants no screen', 'never', {}, false, 'bar'],
    ['a dumb terminal gets no screen', 'always', { TERM: 'dumb' }, false, 'lines'],
    ['a terminal gets no screen beside a format for programs', 'always', {}, true, 'bar'],
  ];
  const isThere = ([, , , , name]) => DISPLAYS.some((one) => one.name === name);
  for (const [title, screen, env, isForPrograms, name] of screens.filter(isThere)) {
    const io = { stderr: { isTTY: true }, env, isForPrograms, screen };
    it(title, () => expect(DISPLAYS.find(({ suits }) => suits(io))?.name).to.equal(name));
  }

  for (const [title, stderr, env, isForPrograms, name] of terminals) {
    it(title, () => expect(DISPLAYS.find(({ suits }) => suits({ stderr, env, isForPrograms }))?.name).to.equal(name));
  }

  describe('figures', () => {
    /** The rate after each of these ticks, `[elapsedMs, ended]`. */
    const rates = (ticks, options) => {
      const figures = new LiveFigures(options);
      return ticks.map(([elapsedMs, ended]) => {
        figures.tick(tick({ elapsedMs, ended }));
        return figures.textsOf(tick({ elapsedMs, ended })).rate;
      });
    };
    const steady = (perSecond, seconds) =>
      Array.from({ length: seconds * 5 }, (_, i) => [(i + 1) * 200, Math.floor((i + 1) * 0.2 * perSecond)]);

    it('at 100 per second every rate is near 100, from the first one', () => {
      for (const text of rates(steady(100, 20))) expect(parseFloat(text), text).to.be.within(95, 105);
    });

    it('at 100 per second with ticks that come early or late, too', () => {
      const ticks = steady(100, 20).map(([at], i) => {
        const late = at + ((i * 37) % 90);
        return [late, Math.floor(late / 10)];
      });
      for (const text of rates(ticks)) expect(parseFloat(text), text).to.be.within(95, 105);
    });

    it('the rate follows a change within a second', () => {
      const texts = rates([...steady(100, 3), ...steady(1000, 2).map(([at, n]) => [3000 + at, 300 + n])]);
      expect(texts.at(-7)).to.equal('820.0/s');
      expect(texts.at(-6)).to.equal('1,000/s');
    });

    it('a low rate covers up to five seconds', () => expect(rates(steady(2, 20)).at(-1)).to.equal('2.00/s'));

    it('the rate of a run that stands still is 0 after five seconds', () => {
      const stopped = Array.from({ length: 30 }, (_, i) => [1000 + (i + 1) * 200, 100]);
      expect(rates([...steady(100, 1), ...stopped]).at(-1)).to.equal('0.00/s');
    });

    const percentiles = (points, elapsedMs = 1000) => {
      const figures = new LiveFigures();
      figures.state(state(points));
      const { p50, p99 } = figures.textsOf(tick({ elapsedMs }));
      return [p50, p99];
    };
    for (const [title, points, elapsedMs, expected] of [
      [
        'percentiles are those of the last interval',
        [point(), point({ at: 1000, p50: 5, p99: 9 })],
        2000,
        ['p50 5.00 ms', 'p99 9.00 ms'],
      ],
      [
        'an interval with less than 100 iterations has its maximum',
        [point({ count: 99 })],
        1000,
        ['p50 50.0 ms', 'max 100 ms'],
      ],
      ['an interval with one iteration has no p50', [point({ count: 1 })], 1000, ['p50 -', 'max 100 ms']],
      ['there are none before the first interval is over', [], 500, ['p50 -', 'p99 -']],
      ['there are none three intervals after the last one', [point()], 3001, ['p50 -', 'p99 -']],
    ])
      it(title, () => expect(percentiles(points, elapsedMs)).to.deep.equal(expected));

    it('counts have thousands separators, and one error is singular', () => {
      const figures = new LiveFigures();
      expect(figures.textsOf(tick({ inFlight: 1234, errors: 1 }))).to.include({
        inFlight: '1,234 in flight',
        errors: '1 error',
      });
    });
  });

  describe('duration', () => {
    for (const [given, totalMs, expected] of [
      [{ elapsedMs: 33_000, share: 0.55 }, 60_000, '33 s of 60 s'],
      [{ elapsedMs: 1000, share: 1 / 3 }, 3000, '1 s of 3 s'],
      [{ elapsedMs: 61_000, share: 1 }, 60_000, '60 s of 60 s'],
      [{ elapsedMs: 12_000, share: 0.5 }, Infinity, '12 s of ~24 s'],
      [{ elapsedMs: 1999, share: 0.01 }, Infinity, '1 s'],
      [{ elapsedMs: 12_345, share: 0.7 }, Infinity, '12 s of ~18 s'],
      [{ elapsedMs: 12_000, share: 0.5 }, 600_000, '12 s of ~24 s'],
      [{ elapsedMs: 125_000, share: 0.2 }, 600_000, '2:05 min of 10:00 min'],
      [{ elapsedMs: 3_725_000, share: 0.5 }, 7_450_000, '1:02:05 of 2:04:10'],
      [{ elapsedMs: 5000, share: 0 }, Infinity, '5 s'],
      [{ elapsedMs: null, share: 0, phase: 'before' }, 60_000, 'before and warm-up'],
      [{ elapsedMs: 60_000, share: 1, phase: 'after' }, 60_000, 'after'],
    ])
      it(expected, () => expect(durationText({ phase: 'main', ...given }, totalMs)).to.equal(expected));
  });

  describe('first errors', () => {
    it('each group is named once, masked', () => {
      const errors = new FirstErrors();
      expect(errors.linesOf(state([], [sample(1)]))).to.deep.equal([
        'status in GET /, iteration 1: failed with token=***',
      ]);
      expect(errors.linesOf(state([], [sample(1), sample(2, { firstIndex: null, operation: '' })]))).to.deep.equal([
        'status in main: failed with token=***',
      ]);
      expect(errors.linesOf(state([], [sample(1)]))).to.deep.equal([]);
    });

    it('ten groups are named, then their number once', () => {
      const errors = new FirstErrors();
      const details = Array.from({ length: 15 }, (_, i) => sample(i));
      expect(errors.linesOf(state([], details.slice(0, 8)))).to.have.lengthOf(8);
      const lines = errors.linesOf(state([], details));
      expect(lines).to.have.lengthOf(3);
      expect(lines.at(-1)).to.equal('5 more kinds of errors; the report lists them');
      expect(errors.linesOf(state([], [...details, sample(99)]))).to.deep.equal([]);
    });

    it('an eleventh group is counted after exactly ten were named', () => {
      const errors = new FirstErrors();
      const details = Array.from({ length: 12 }, (_, i) => sample(i));
      expect(errors.linesOf(state([], details.slice(0, 10)))).to.have.lengthOf(10);
      expect(errors.linesOf(state([], details.slice(0, 11)))).to.deep.equal([
        '1 more kind of errors; the report lists them',
      ]);
      expect(errors.linesOf(state([], details))).to.deep.equal([]);
    });
  });

  describe('lines', () => {
    it('prints a line every ten seconds, with the rate since the line before', () => {
      const stderr = stream();
      const display = startLines({ stderr, totalMs: 50_000 });
      for (let at = 200; at <= 25_000; at += 200) {
        if (at % 1000 === 0) display.state(state([point({ at: at - 1000 })]));
        const ended = at <= 10_000 ? at / 10 : 1000 + (at - 10_000) / 5;
        display.tick(tick({ elapsedMs: at, ended, share: at / 50_000 }));
      }
      display.stop();
      expect(stderr.text()).to.equal(
        '10 s of 50 s (20 %): 100.0/s, p50 50.0 ms, p99 99.0 ms, 7 in flight, 0 errors\n' +
          '20 s of 50 s (40 %): 200.0/s, p50 50.0 ms, p99 99.0 ms, 7 in flight, 0 errors\n',
      );
    });

    it('are printed as often as was asked for', () => {
      const stderr = stream();
      const display = startLines({ stderr, totalMs: 2000, everyMs: 500 });
      for (let at = 200; at <= 1200; at += 200) display.tick(tick({ elapsedMs: at, share: at / 2000 }));
      expect(stderr.text().match(/of 2 s/g)).to.have.length(2);
    });

    it('prints the first error of each group at once', () => {
      const stderr = stream();
      startLines({ stderr, totalMs: Infinity }).state(state([], [sample(3)]));
      expect(stderr.text()).to.equal('error: status in GET /, iteration 3: failed with token=***\n');
    });
  });

  describe('bar', () => {
    const GOALS = [
      { figure: 'responseTime.p95', actual: 0.041, bound: 0.03 },
      { figure: 'responseTime.p99.9', actual: null, bound: 0.05 },
    ];
    /** What a display of these columns shows after a tick, and what it wrote. */
    const shown = (columns, given = {}, { totalMs = 60_000, unicode = true, color = false, title } = {}) => {
      const stderr = stream({ isTTY: true, columns });
      const display = startBar({ stderr, color, unicode, totalMs, title });
      display.state({ ...state([point({ at: 32_000 })]), precision: given.precision });
      display.tick(tick({ elapsedMs: 33_000, ended: 8349, share: 0.55, inFlight: 50, errors: 110, ...given }));
      stderr.texts.length = 0;
      display.stop();
      const written = stderr.text();
      // the last drawing is cleared when the display stops
      const lines = written
        .split('\u001b[1G')
        .map((line) => stripVTControlCharacters(line).trimEnd())
        .filter(Boolean);
      return { lines, written };
    };

    for (const [columns, expected] of [
      [
        80,
        [
          '  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━──────────────────────────────  33 s of 60 s',
          '  253.0/s  p50 50.0 ms  p99 99.0 ms  110 errors  50 in flight',
        ].map((line) => line.replace(/^ {2}━+─+/, `  ${'━'.repeat(33)}${'─'.repeat(27)}`)),
      ],
      [60, [`  ${'━'.repeat(24)}${'─'.repeat(19)}  33 s of 60 s`, '  253.0/s  p50 50.0 ms  p99 99.0 ms  110 errors']],
      [50, ['  33 s of 60 s', '  253.0/s  p50 50.0 ms  p99 99.0 ms  110 errors']],
      [30, ['  33 s of 60 s', '  253.0/s  110 errors']],
    ])
      it(`fits ${columns} columns`, () => {
        const { lines } = shown(columns);
        expect(lines.slice(0, 2)).to.deep.equal(expected);
        for (const line of lines) expect(line.length).to.be.below(columns);
      });

    it('has no bar beside a long title', () =>
      expect(shown(60, {}, { title: 'step 1: 1,234/s (1,000 to 2,000/s), the first one' }).lines[0]).to.equal(
        '  step 1: 1,234/s (1,000 to 2,000/s), the first one  33 s …',
      ));

    it('is ASCII where the locale is not UTF-8', () =>
      expect(shown(80, { precision: GOALS }, { unicode: false }).lines.join('\n')).to.match(
        /^ {2}=+-+ {2}33 s of 60 s\n {2}p95 \+-4\.1 % of \+-3 %[ -~\n]*$/,
      ));

    it('shows how near the run is to its precision, beside the rate and errors', () => {
      const line = (columns) => shown(columns, { precision: GOALS }).lines[1];
      expect(line(80)).to.equal('  p95 ± 4.1 % of ± 3 %  p99.9 ± - of ± 5 %  253.0/s  p99 99.0 ms  110 errors');
      expect(line(50)).to.equal('  p95 ± 4.1 % of ± 3 %  253.0/s  110 errors');
      expect(line(30)).to.equal('  253.0/s  110 errors');
    });

    it('is in color, with errors in red', () => {
      const { written } = shown(80, {}, { color: true });
      expect(written).to.include('\u001b[31m110 errors\u001b[39m').and.include('\u001b[36m━');
    });

    it('has no bar if nothing ends the run, and no figures before it', () => {
      expect(shown(80, { share: 0 }, { totalMs: Infinity }).lines[0]).to.equal('  33 s');
      expect(shown(80, { elapsedMs: null, phase: 'before' }).lines).to.deep.equal(['  before and warm-up']);
    });

    it('restores the terminal when the process ends, and no listener stays', () => {
      const events = ['exit', 'uncaughtExceptionMonitor', 'SIGTSTP', 'SIGCONT', 'SIGQUIT'];
      const listeners = () => events.map((name) => process.listenerCount(name));
      const before = listeners();
      const stderr = stream({ isTTY: true, columns: 80, fd: 2 });
      const display = startBar({ stderr, color: false, unicode: true, totalMs: 1000 });
      const during = listeners();
      process.listeners('exit').at(-1)(0);
      expect(stderr.text()).to.match(/\n\u001b\[\?7h\u001b\[\?25h$/);
      display.stop();
      expect(listeners()).to.deep.equal(before);
      if (process.platform !== 'win32') expect(during).to.deep.equal(before.map((count) => count + 1));
    });

    it('is cleared at the end', () => {
      expect(shown(80).written).to.match(/\u001b\[0J$/);
    });

    it('prints lines above itself, which may be longer than the terminal', () => {
      const stderr = stream({ isTTY: true, columns: 40 });
      const display = startBar({ stderr, color: false, unicode: true, totalMs: 1000 });
      display.state(state([], [sample(3)]));
      display.print('x'.repeat(100));
      display.stop();
      expect(stripVTControlCharacters(stderr.text()))
        .to.include('✗ status in GET /, iteration 3: failed\n  with token=***\n')
        .and.match(/x{100}\n[^x]*\n/);
      expect(stderr.text()).to.include('\u001b[?7hxxx');
    });
  });
});
