import { EventEmitter } from 'node:events';

import { expect } from 'chai';

import { DISPLAYS } from '../../../../lib/report/live/index.js';
import { start } from '../../../../lib/report/live/lines.js';
import { progressFigures } from '../../../../lib/report/live/progress-figures.js';
import { literalResult } from '../../../support/literal-result.js';

const progress = (percent) => ({
  stats: { ...literalResult(), histograms: undefined },
  percent,
  concurrent: 7,
  ips: 1234,
});

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
  for (const [title, stderr, env, isForPrograms, name] of terminals) {
    it(title, () => expect(DISPLAYS.find(({ suits }) => suits({ stderr, env, isForPrograms }))?.name).to.equal(name));
  }

  it('progress figures are current; percentiles are those of the last interval', () => {
    expect(progressFigures(progress(5))).to.deep.equal({
      percent: '5',
      concurrent: '7',
      ips: '1,234',
      rps: '32.7',
      p50: '50.0',
      p99: '99.0',
      errors: '8',
    });
    const { p50 } = progressFigures({
      ...progress(5),
      stats: { ...literalResult(), histograms: undefined, series: { interval: 1000, points: [] } },
    });
    expect(p50).to.equal('-');
  });

  it('the figures that stay on the screen are those of the run', () => {
    const stats = { ...literalResult(), histograms: {}, series: { interval: 1000, points: [{ p50: 1, p99: 2 }] } };
    expect(progressFigures({ ...progress(100), stats })).to.include({ p50: '50.0', p99: '99.0' });
  });

  it('lines prints a line every ten seconds', () => {
    let now = 0;
    let text = '';
    const run = new EventEmitter();
    const stop = start(run, { stderr: { write: (more) => (text += more) } }, () => now);
    for (now = 1000; now <= 25_000; now += 1000) run.emit('progress', progress(now / 1000));
    stop();
    expect(text).to.equal(
      '10 s: 10 %, 1,234 iterations/s, 32.7 requests/s, p50 50.0 ms, p99 99.0 ms, 7 running, 8 errors\n20 s: 20 %, 1,234 iterations/s, 32.7 requests/s, p50 50.0 ms, p99 99.0 ms, 7 running, 8 errors\n',
    );
  });
});
