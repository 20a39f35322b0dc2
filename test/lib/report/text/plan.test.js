import { expect } from 'chai';

import { planText } from '../../../../lib/report/text/run-lines.js';

const about = { from: '/flow.js', version: '2.0.0' };
const phases = { before: [], beforeMain: [], main: ['GET /'], afterMain: [], after: [] };

describe('report/text/plan', () => {
  it('prints the load, the target, and the operations of each phase', () => {
    const operations = { ...phases, before: ['POST /login'], main: ['PUT /x', 'GET /x?token=abc'] };
    expect(
      planText(
        { shape: '10,000 iterations, 50 virtual users', origins: ['http://a:1', 'http://b'], operations },
        about,
      ),
    ).to.equal(`bench-rest 2.0.0: 10,000 iterations, 50 virtual users against http://a:1, http://b
flow: /flow.js
  before      POST /login
  main        PUT /x
              GET /x?token=***
`);
  });

  it('breaks the first line between its words if the terminal is narrow', () => {
    const load = { shape: '10,000 iterations, 50 virtual users', origins: ['http://localhost:8000'], operations: {} };
    const lines = planText(load, { ...about, width: 60 }).split('\n');
    expect(lines.slice(0, 2)).to.deep.equal([
      `bench-rest ${about.version}: 10,000 iterations, 50 virtual users`,
      '  against http://localhost:8000',
    ]);
  });

  it('names how an open run waits for its arrivals', () => {
    const text = planText({ shape: '5 s, 100/s', pacing: 'thread', origins: [], operations: {} }, about);
    expect(text).to.match(/^bench-rest 2\.0\.0: 5 s, 100\/s, paced by a thread\n/);
  });

  it('prints no origin if it depends on a token', () => {
    expect(planText({ shape: 'until stopped', origins: [], operations: phases }, about)).to.match(
      /^bench-rest 2\.0\.0: until stopped\n/,
    );
  });

  it('truncates a long flow', () => {
    const operations = { ...phases, main: Array.from({ length: 100 }, (_, i) => `GET /${i}`) };
    const text = planText({ shape: '', origins: [], operations }, about);
    expect(text).to.include('GET /11\n').and.include('and 88 more\n').and.not.include('GET /12\n');
  });
});
