import { expect } from 'chai';

import { HdrCounts } from '../../../lib/core/measure/hdr-counts.js';
import { Histogram } from '../../../lib/core/measure/histogram.js';
import { render } from '../../../lib/addons/card/index.js';
import { fitted, widthOf } from '../../../lib/addons/card/svg.js';
import { REPORTERS } from '../../../lib/core/report/formats/index.js';
import { literalResult } from '../../support/literal-result.js';
import { elementsOfXml } from '../../support/xml.js';
import { judged } from '../../support/judged.js';
import { readable } from '../../../lib/core/report/supported.js';
import { outcomeFor } from '../../../lib/core/measure/outcome.js';

const distributionOf = () => Array.from({ length: 100 }, (_, i) => ({ ms: i + 1, upTo: i + 1 }));
const textsOf = (svg) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
const card = (changes = {}) => render({ ...literalResult(), ...changes }, { distributionOf });

/** A run with this many intervals of a second, at 1 and 50 ms. */
function longResult(seconds) {
  const counts = new HdrCounts();
  counts.record(1000, 10);
  counts.record(50_000);
  const encoded = Buffer.from(counts.toBytes()).toString('base64');
  const result = literalResult();
  const [{ responseTime, ...point }] = result.series.points;
  const counted = { ...point, responseTime: { ...responseTime, hdrPayload: encoded } };
  return {
    ...result,
    measuredElapsed: seconds * 1000,
    series: { ...result.series, points: Array.from({ length: seconds }, (_, i) => ({ ...counted, at: i * 1000 })) },
  };
}

describe('the card of a result', () => {
  it('is well-formed, 1200 × 630, without scripts, links, fonts and images', () => {
    const svg = card();
    const names = new Set(elementsOfXml(svg));
    expect([...names]).to.have.members(['svg', 'style', 'rect', 'text', 'line', 'path']);
    expect(svg).to.match(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 1200 630" width="1200" height="630"/,
    );
    expect(svg).not.to.match(/href|url\(|@import|@font-face|\son\w+=/);
  });

  it('has title, load and target, outcome, measurement, figures, date and version', () => {
    const texts = textsOf(card({ title: 'checkout' })).join('\n');
    for (const text of ['checkout', '3 s, 34/s against http://127.0.0.1:8000', '✗ failed'])
      expect(texts).to.include(text);
    expect(texts)
      .to.include('errors are 8.00 %; the threshold is errors&#60;1%.')
      .and.match(/iterations\n32\.7\n\/s\np50\n50\.0\nms\np95\n95\.0\nms\np99\n~99\.0\nms/)
      .and.include('bench-rest 2.0.0')
      .and.include('2026-11-21 00:00:00 UTC');
    expect(textsOf(card({ startedAt: undefined })), 'without a date').to.include('bench-rest 2.0.0');
    const { errors } = literalResult();
    const passed = card({ thresholds: [], errors: { ...errors, count: 0 }, outcome: outcomeFor([]) });
    expect(textsOf(passed)).to.include('✓ passed');
  });

  it('a figure that is a range is one, in letters that fit, and its cause is a sentence within the band', () => {
    const { main, loadGenerator } = literalResult();
    const half = Object.entries(main.completed).map(([key, value]) => [key, key === 'count' ? value : value / 1000]);
    const none = { count: 0, longest: 0, total: 0 };
    const stops = { blocked: none, gc: none, suspended: none, noCpu: { count: 1, longest: 900, total: 900 } };
    const svg = card({
      ...{ main: { ...main, least: Object.fromEntries(half) }, loadGenerator: { ...loadGenerator, stops } },
      ...{ thresholds: [], errors: { count: 0, kinds: {}, details: [] }, outcome: outcomeFor([]) },
    });
    expect(svg).to.match(/font-size="(1\d|2\d|3\d|4[0-5])"[^>]*>~0\.099–99\.0</);
    expect(textsOf(svg).join('\n')).to.match(/p50, p95 and p99 are ranges: other programs used the CPU/i);
    for (const [, width] of svg.matchAll(/textLength="(-?[\d.]+)"/g)) expect(Number(width)).to.be.above(0);
  });

  it('figures whose threshold failed have the color of failures', () => {
    const failed = (expression) => card({ thresholds: [{ ...judged(expression, 95), passed: false }] });
    expect(failed('p95<1ms')).to.match(/class="f-bad"[^>]*>95\.0</);
    expect(failed('p99<1ms')).to.match(/class="f-text"[^>]*>95\.0</);
  });

  it('percentiles that too few values support are a dash, in the plot too', () => {
    const { main } = literalResult();
    const few = card(readable({ ...literalResult(), main: { ...main, completed: { ...main.completed, count: 30 } } }));
    expect(textsOf(few).join('\n'))
      .to.match(/p95\n~95\.0\nms\np99\n-\n/)
      .and.not.include('p99 99');
  });

  it('a short run has its distribution, a longer one a heat map with p50, p99 and thresholds', () => {
    expect(textsOf(card())).to.include('distribution').and.include('service time');
    for (const seconds of [8, 60, 600, 5000]) {
      const result = longResult(seconds);
      result.thresholds = [judged('p95<20ms', 5)];
      const svg = render(result, { distributionOf });
      const names = elementsOfXml(svg);
      expect(names.filter((name) => name === 'polyline')).to.have.lengthOf(4);
      expect(textsOf(svg)).to.include('latency over time').and.include('threshold p95&#60;20ms').and.include('0 s');
      expect(textsOf(svg).filter((text) => /^\d+ s$/.test(text)).length).to.be.within(4, 9);
      expect(svg.length).to.be.below(30_000);
    }
  });

  it('a run in which nothing was answered shows its errors and no figures', () => {
    const { requests, errors } = literalResult();
    const details = [{ ...errors.details[0], kind: 'connect', message: 'connect ECONNREFUSED 127.0.0.1:9' }];
    const nothing = new Histogram().toJSON();
    const texts = textsOf(
      card({
        requests: { ...requests, answered: 0 },
        main: { completed: nothing, serviceTime: nothing },
        errors: { ...errors, count: 100, details },
        outcome: outcomeFor(['errors']),
      }),
    );
    expect(texts).to.include('8 × connect: connect ECONNREFUSED 127.0.0.1:9');
    expect(texts.filter((text) => text === '-')).to.have.lengthOf(4);
    expect(texts).to.include('✗ failed');
  });

  it('a result without values and without errors says so', () => {
    const nothing = new Histogram().toJSON();
    const svg = render({
      ...literalResult(),
      main: { completed: nothing, serviceTime: nothing },
      errors: { kinds: {}, count: 0, details: [] },
      run: undefined,
    });
    elementsOfXml(svg);
    expect(textsOf(svg)).to.include('too few iterations for a distribution');
  });

  it('hostile texts stay text, without secrets, and long ones are shortened', async () => {
    const { render: safely } = await REPORTERS.find(({ name }) => name === 'card').load();
    const result = longResult(60);
    result.title = `<script>"&'</script>]]>\u0000\ud800\uffff\u202e ${'long '.repeat(50)}`;
    result.run.origins = ['https://me:CANARY@host', `https://${'x'.repeat(300)}`];
    const svg = safely(result, { distributionOf });
    elementsOfXml(svg);
    expect(svg).not.to.include('CANARY').and.not.include('<script');
    expect(svg).to.include('polyline');
    expect(textsOf(svg)[0]).to.match(/^&#60;script&#62;.*…$/);
  });

  it('a text that fits is unchanged; a longer one ends with … and never inside a letter', () => {
    expect(fitted('short', { size: 20, width: 200 })).to.equal('short');
    for (const text of ['注文一覧を取得する', '👩‍👩‍👧‍👦'.repeat(9), 'e\u0301'.repeat(80), 'W'.repeat(80), 'i'.repeat(200)]) {
      const kept = fitted(text, { size: 20, width: 160 });
      expect(kept).to.match(/…$/);
      expect(widthOf(kept, { size: 20 })).to.be.at.most(160);
      const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
      expect(letters.slice(0, [...new Intl.Segmenter().segment(kept)].length - 1).join('')).to.equal(kept.slice(0, -1));
    }
  });
});
