import { expect } from 'chai';

import { sectionOf } from '../../../lib/core/run/flow-section.js';

const STATS = /** @type {any} */ ({ iterations: { completed: 3 } });
const sectionFrom = async (value) => (await sectionOf(() => value, STATS)).section;

describe('run/flow-section', () => {
  for (const [what, value, section] of [
    ['text', 'a\nb\n', { title: 'section', lines: ['a', 'b'] }],
    ['a promise of text', Promise.resolve('a'), { title: 'section', lines: ['a'] }],
    ['a title and text', { title: 'SLA', text: 'held' }, { title: 'SLA', lines: ['held'] }],
    [
      'rows',
      [['a', 1.5], ['b']],
      {
        title: 'section',
        columns: ['', ''],
        rows: [
          ['a', 1.5],
          ['b', null],
        ],
      },
    ],
    [
      'rows that are objects: their keys are the columns',
      {
        title: 't',
        rows: [
          { name: 'x', n: 1 },
          { n: 2, more: true },
        ],
      },
      {
        title: 't',
        columns: ['name', 'n', 'more'],
        rows: [
          ['x', 1, null],
          [null, 2, 'true'],
        ],
      },
    ],
    [
      'columns and rows',
      { text: 'x', columns: ['a'], rows: [[NaN]] },
      { title: 'section', lines: ['x'], columns: ['a'], rows: [['NaN']] },
    ],
    ['nothing', undefined, null],
    ['an empty text', '', null],
  ])
    it(`takes ${what}`, async () => {
      expect(await sectionFrom(value)).to.deep.equal(section);
    });

  it('gets a copy of the result', async () => {
    const { section } = await sectionOf((result) => {
      const text = `${result.iterations.completed} completed`;
      result.iterations.completed = 0;
      return text;
    }, STATS);
    expect(section.lines).to.deep.equal(['3 completed']);
    expect(STATS.iterations.completed).to.equal(3);
  });

  it('limits lines, columns, rows and their length', async () => {
    const { lines } = await sectionFrom('x\n'.repeat(5000));
    expect(lines).to.have.lengthOf(1000);
    const { columns, rows } = await sectionFrom(Array(5000).fill(Array(200).fill('y'.repeat(5000))));
    expect([columns.length, rows.length, rows[0].length, rows[0][0].length]).to.deep.equal([50, 1000, 50, 1001]);
  });

  for (const [what, report, message] of [
    ['throws', () => null.x, /^Cannot read .*, at .*flow-section\.test\.js:\d+:\d+\n.*\n +\^$/],
    ['throws a secret', () => { throw new Error('at http://ann:c4n4ry@h/'); }, /^at http:\/\/\*\*\*@h\/, at (?!.*c4n4ry)/s], // prettier-ignore
    ['throws what throws when it is read', () => { throw new Proxy({}, { get: () => { throw new Error('no'); } }); }, /^an error that cannot be converted to text$/], // prettier-ignore
    ['rejects', async () => Promise.reject('no stack'), /^no stack$/],
    ['returns a number', () => 7, /^it returned 7: return text, \{ title, text, rows \} or rows$/],
    ['returns an object without text', () => ({ a: 1 }), /it returned an object/],
    ['returns rows of numbers', () => [1], /^its rows are not arrays or objects$/],
    ['returns columns of text', () => ({ rows: [], columns: 'a' }), /^its columns are .*: return an array of texts$/],
    ['never ends', () => new Promise(() => {}), /it did not finish within 0.02 s/],
  ])
    it(`a function that ${what} gives a section with the reason, and E_SECTION`, async () => {
      const { section, error } = await sectionOf(report, STATS, 20);
      expect(section).to.include({ title: 'section', failed: true });
      expect(error).to.have.property('code', 'E_SECTION');
      const start = 'the section function of the flow failed: ';
      expect(section.lines.join('\n').slice(0, start.length)).to.equal(start);
      expect(section.lines.join('\n').slice(start.length)).to.match(message);
    });
});
