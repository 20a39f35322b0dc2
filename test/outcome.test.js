import { expect } from 'chai';

import { exitCode } from '../lib/ground/exit-codes.js';
import { reasonsOf } from '../lib/measure/outcome.js';
import { REPORTERS } from '../lib/report/formats/index.js';
import { modelOf } from '../lib/report/html/model.js';
import { outcomeOf } from '../lib/report/outcome.js';
import { judgedPart, outcomeCases } from '../scripts/outcome-table.js';
import { literalResult } from './support/literal-result.js';

const RENDER = new Map(await Promise.all(REPORTERS.map(async ({ name, load }) => [name, (await load()).render])));
const MARKS = {
  passed: { text: '✓', markdown: '✅', github: '::notice' },
  doubtful: { text: '!', markdown: '⚠️', github: '::warning' },
  failed: { text: '✗', markdown: '❌', github: '::error' },
};

/** The rules of the documentation, once more and independent of the code. */
function expectedOf({ completed, errors, cutOff, dropped, generator, thresholds }) {
  if (generator === 'void') return ['failed', 70];
  if (thresholds === 'fail') return ['failed', 99];
  if (errors === 'errors' || (cutOff === 'overdue' && errors === 'none')) return ['failed', 1];
  if (dropped === '5 %') return ['failed', 96];
  if (completed === 'none') return ['failed', 95];
  return [generator === 'saturated' ? 'doubtful' : 'passed', 0];
}

/** A result of a case; without figures if nothing completed. */
function resultOf(given) {
  const { exit: _exit, ...whole } = literalResult();
  const { iterations, errors, client, ...part } = judgedPart(given);
  return {
    ...whole,
    ...part,
    iterations: { ...whole.iterations, ...iterations },
    errors: { ...whole.errors, ...errors, samples: [] },
    client: { ...whole.client, ...client },
  };
}

describe('the outcome', () => {
  const cases = outcomeCases();

  it('S43 follows the documented rules in every combination of what ended how, doubt and thresholds', () => {
    for (const given of cases) {
      const result = resultOf(given);
      const [status, code] = expectedOf(given);
      const found = [outcomeOf(result).status, exitCode(reasonsOf(result))];
      expect(found, JSON.stringify(given)).to.deep.equal([status, code]);
    }
    expect(cases.length).to.be.above(400);
  });

  it('S43 is one in the text, Markdown, JUnit, the annotations, the page, the card and the exit code', () => {
    // prime to the numbers of values, so that each value meets the others
    for (const given of cases.filter((_, i) => i % 11 === 0)) {
      const result = resultOf(given);
      const [status] = expectedOf(given);
      const where = JSON.stringify(given);
      const mark = MARKS[status];
      const render = (name) => RENDER.get(name)(result, { width: 80, unicode: true, distributionOf: () => [] });
      const text = render('text');
      expect(text.slice(0, mark.text.length), where).to.equal(mark.text);
      expect(text, where).to.include(`${mark.text} ${status}`);
      expect(render('markdown'), where).to.include(`### ${mark.markdown} bench-rest: ${status}`);
      expect(render('github').startsWith(mark.github), where).to.equal(true);
      expect(render('card'), where).to.include(`${mark.text} ${status}`);
      expect(modelOf(result, () => []).outcome, where).to.include({ status, mark: mark.text });
      const junit = render('junit');
      expect(/failures="0"/.test(junit), where).to.equal(status !== 'failed');
      expect(junit, where).to.include(`<property name="outcome" value="${status}"/>`);
      if (status === 'doubtful') expect(junit, where).to.match(/skipped="1"[^]*<skipped message="busy"/);
    }
  }).timeout(60_000);

  it('a result that was saved with reasons that only its run knew keeps them; thresholds are judged anew', () => {
    const result = resultOf({ ...cases[0], thresholds: 'hold' });
    const withExit = (...reasons) => reasonsOf({ ...result, exit: { code: 1, reasons } });
    expect(withExit('interrupted', 'threshold')).to.deep.equal(['interrupted']);
    expect(withExit('threshold')).to.deep.equal([]);
  });
});
