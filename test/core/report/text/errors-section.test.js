import { expect } from 'chai';

import { glyphsOf } from '../../../../lib/core/report/terminal.js';
import { errorsSection } from '../../../../lib/core/report/text/counts.js';

const iterations = { teardownFailed: 0, cancelled: 0, late: 0, maxBacklog: 0, dropped: 0 };
const sample = (given) => ({
  count: 3,
  kind: 'status',
  phase: 'main',
  operation: 'GET /',
  message: 'failed',
  firstIndex: 7,
  ...given,
});
const text = (details, count, others) => {
  const result = { errors: { count, details }, iterations: { ...iterations, ...others } };
  const options = { full: true, width: 100, paint: (_, line) => line, glyphs: glyphsOf(false) };
  const lines = errorsSection(result, options).join('\n').split('\n');
  return `errors: ${count}\n${lines.map((line) => (line === '' ? '' : `  ${line}\n`)).join('')}`;
};
const section = (errors, options) =>
  errorsSection({ errors, iterations }, { width: 80, paint: (_, line) => line, glyphs: glyphsOf(true), ...options });

describe('errors in a text report', () => {
  it('a group has its count, kind, place, first iteration and message', () => {
    expect(text([sample()], 3)).to.equal('errors: 3\n  3 x status in GET /, first in iteration 7\n      failed\n');
  });

  it('the code of the user that it comes from, with its line, which is cut to the width', () => {
    const place = { file: 'flow.mjs', line: 3, column: 9, source: "  throw new Error('x');" };
    const frame = "      flow.mjs:3:9\n        throw new Error('x');\n              ^\n";
    expect(text([sample({ location: place })], 3)).to.include(`      failed\n${frame}`);
    expect(text([sample({ location: { ...place, source: '' } })], 3)).to.match(/failed\n +flow.mjs:3:9\n$/);
    const long = { ...place, column: 300, source: 'x'.repeat(400) };
    const errors = { count: 3, details: [sample({ location: long })] };
    for (const line of section(errors, { width: 60 }).join('\n').split('\n')) expect(line.length).to.be.below(61);
  });

  it('a group outside of operations and iterations has neither', () => {
    expect(text([sample({ operation: '', phase: 'before', firstIndex: null })], 3)).to.include(
      '3 x status in before\n',
    );
  });

  it('counts are aligned, and errors beyond the groups are counted', () => {
    const lines = text([sample({ count: 100 }), sample()], 110).split('\n');
    expect(lines[3]).to.match(/^ {4}3 x/);
    expect(lines.at(-2)).to.equal('  and 7 more in other groups');
  });

  it('ten groups are listed, with everything all of them', () => {
    const details = Array.from({ length: 12 }, (_, i) => sample({ operation: `GET /${i}`, count: 1 }));
    expect(section({ count: 12, details }).at(-1)).to.equal('and 2 more in other groups');
    expect(section({ count: 12, details }, { full: true }).join('\n')).to.include('GET /11');
  });

  it('a group is red, its message is not', () => {
    const paint = (style, line) => `<${style}>${line}`;
    expect(section({ count: 3, details: [sample()] }, { paint })).to.deep.equal([
      '<red>3 × status in GET /, first in iteration 7',
      '    failed',
    ]);
  });

  it('a long message is cut', () =>
    expect(text([sample({ message: 'a'.repeat(9999) })], 3)).to.have.lengthOf.below(700));

  it('iterations that did not run as planned are named', () => {
    expect(text([], 0, { teardownFailed: 1, late: 3, maxBacklog: 4 }))
      .to.include('afterMain failed in 1 iteration,')
      .and.include('late: 3 iterations waited for a free virtual user, up to 3 at a time');
    expect(text([], 0, { late: 1, maxBacklog: 2 })).to.include(
      'late: 1 iteration waited for a free virtual user; response',
    );
    expect(text([], 0, { late: 3, maxBacklog: 500, dropped: 600 })).to.include('user, up to 500 at a time');
  });

  it('the section is empty without errors', () => {
    expect(section({ count: 0, details: [] })).to.deep.equal([]);
  });

  it('lines of the section are wrapped at the width, behind their indent', () => {
    const errors = { count: 3, details: [sample({ message: 'word '.repeat(30).trim() })] };
    const lines = section(errors, { width: 60 }).join('\n').split('\n');
    for (const line of lines) expect(line).to.have.lengthOf.at.most(60);
  });
});
