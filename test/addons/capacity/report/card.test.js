import { expect } from 'chai';

import { render } from '../../../../lib/addons/capacity/report/card.js';
import { literalCapacity } from '../../../support/literal-capacity.js';
import { elementsOfXml } from '../../../support/xml.js';

const textsOf = (svg) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
const pointsOf = (svg) => [...svg.matchAll(/<polyline points="([^"]*)"/g)].map(([, text]) => text.split(' '));

describe('the card of a capacity', () => {
  it('is well-formed, 1200 × 630, without scripts, links, fonts and images', () => {
    const svg = render(literalCapacity());
    const names = new Set(elementsOfXml(svg));
    expect([...names]).to.have.members(['svg', 'style', 'rect', 'text', 'line', 'polyline', 'circle']);
    expect(svg).to.match(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 1200 630"/);
    expect(svg).not.to.match(/href|url\(|@import|@font-face|\son\w+=/);
  });

  it('a rate below one in 10 s has a longer unit', () => {
    const capacity = literalCapacity();
    capacity.conclusion.load = 0.05;
    expect(textsOf(render(capacity)).join('\n')).to.include('capacity: 3/m');
  });

  it('has the capacity, its interval, what limits, the times at it, date and version', () => {
    const texts = textsOf(render(literalCapacity())).join('\n');
    for (const text of [
      ...['capacity: 198/s', 'highest arrival rate of app.js against http://127.0.0.1:8123, within 5 %', '✓ found'],
      ...['The service holds 198/s (193 to 213/s)', 'at 208/s p99&#60;300ms failed with 748 ms', '7 steps'],
      ...['bench-rest 2.0.0', 'response times over the load'],
    ])
      expect(texts).to.include(text);
    expect(texts).to.match(/capacity\n198\n\/s\np50\n25\.6\nms\np95\n43\.8\nms\np99\n48\.7\nms/);
  });

  it('curves have a point for each load, without settling steps', () => {
    const lines = pointsOf(render(literalCapacity()));
    expect(lines.map((points) => points.length)).to.deep.equal([5, 5, 5]);
  });

  it('a step with a load of 0 is not drawn', () => {
    const capacity = literalCapacity();
    capacity.steps[0].load.rate = 0;
    const svg = render(capacity);
    expect(svg).not.to.match(/NaN|Infinity/);
    expect(pointsOf(svg).map((points) => points.length)).to.deep.equal([4, 4, 4]);
  });

  it('of virtual users, the throughput is a figure', () => {
    const capacity = literalCapacity();
    const steps = capacity.steps.map(({ load: { rate, ...load }, ...step }) => ({
      ...step,
      load: { ...load, virtualUsers: rate },
    }));
    const texts = textsOf(render({ ...capacity, by: 'users', steps })).join('\n');
    expect(texts.split('\n')).to.include('320').and.not.include('320 virtual users');
    expect(texts).to.match(/virtual users\n198\n\nthroughput\n197\.9\n\/s\np95\n43\.8/);
  });

  it('a search without an answer has no figures, and no curves', () => {
    const capacity = literalCapacity();
    const conclusion = {
      ...capacity.conclusion,
      code: 'none',
      message: 'No rate holds',
      load: null,
      iterations: { completedRate: null },
    };
    const texts = textsOf(render({ ...capacity, conclusion, steps: [] })).join('\n');
    expect(texts)
      .to.include('too few steps for curves')
      .and.include('✗ none')
      .and.match(/capacity\n-\n/);
  });
});
