import { expect } from 'chai';

import { render as markdown } from '../../../../lib/addons/formats/markdown.js';
import { modelOf } from '../../../../lib/addons/page/model.js';
import { logLines } from '../../../../lib/addons/log/report/files.js';
import { render as text } from '../../../../lib/core/report/text/index.js';
import { literalResult } from '../../../support/literal-result.js';

const file = (name, more) => ({ file: name, requests: 1200, lines: 1200, behindDisk: 0, ...more });
const sampled = file('b.csv', { lines: 1100, behindDisk: 100 });
const broken = file('c.csv', { lines: 0, error: 'the disk is full' });

describe('the log in reports', () => {
  it('files with all lines share one; each of the others says why it has fewer', () =>
    expect(logLines({ log: { files: [file('a.csv'), file('d.csv'), sampled, broken] } })).to.deep.equal([
      { text: 'wrote a.csv, d.csv: a line for each of 2,400 requests', state: 'complete' },
      {
        text: 'wrote b.csv: 1,100 lines for 1,200 requests; 100 had none because it could not be written as fast',
        state: 'sample',
      },
      {
        text: 'c.csv: 0 lines for 1,200 requests; it could not be written: the disk is full',
        state: 'failed',
      },
    ]));

  it('lines that a run in progress has not written yet need no reason', () =>
    expect(logLines({ log: { files: [file('a.csv', { lines: 1100 })] } })).to.deep.equal([
      { text: 'wrote a.csv: 1,100 lines for 1,200 requests', state: 'sample' },
    ]));

  it('a run without a log has none, and of many files ten are named', () => {
    expect(logLines({})).to.deep.equal([]);
    const lines = logLines({ log: { files: Array.from({ length: 12 }, () => sampled) } });
    expect([lines.length, lines.at(-1).text]).to.deep.equal([11, '2 more files in the result (log.files)']);
  });

  it('text, Markdown and page have the same words', () => {
    const result = { ...literalResult(), log: { files: [file('a.csv'), sampled] } };
    const flat = (report) => report.replace(/\s+/g, ' ');
    for (const { text: line } of logLines(result)) expect(flat(text(result))).to.include(line);
    expect(markdown(result)).to.include('100 had none because').and.include('wrote a.csv: a line for each');
    const [block] = modelOf(result, () => []).sections.find(({ name }) => name === 'log').blocks;
    expect(block.lines.map(({ text: line }) => line)).to.deep.equal(logLines(result).map(({ text: line }) => line));
  });
});
