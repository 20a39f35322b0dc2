import { stripVTControlCharacters } from 'node:util';

import { expect } from 'chai';
import stringWidth from 'fast-string-width';

import { glyphsOf } from '../../../../lib/core/report/terminal.js';
import { cut, joined, padded, painter, sparkline, table, wrapped } from '../../../../lib/core/report/text/layout.js';

const glyphs = glyphsOf(true);
const COLUMNS = [{ head: 'name', isText: true }, { head: 'errors' }, { head: 'p99' }];
const ROWS = [
  ['GET /', { text: '1,234', style: 'red' }, '9.99'],
  ['日本語', { text: '5', style: 'red' }, '10.0'],
  ['👩‍👩‍👧 é', '0', '-'],
];

describe('report/text/layout', () => {
  it('a colored table has the columns of a plain one', () => {
    const [plain, colored] = [false, true].map((color) =>
      table(COLUMNS, ROWS, { width: 80, paint: painter(color), glyphs }),
    );
    expect(colored.map((line) => stripVTControlCharacters(line))).to.deep.equal(plain);
    expect(colored.join()).to.include('\u001b[31m');
  });

  it('columns align for characters of any width', () => {
    const lines = table(COLUMNS, ROWS, { width: 80, paint: painter(false), glyphs });
    expect(new Set(lines.map((line) => stringWidth(line))).size).to.equal(1);
  });

  it('a table fits the width as long as its first column can be cut', () => {
    const rows = [['日'.repeat(100), '1', '2']];
    for (let width = 30; width <= 60; width++) {
      for (const line of table(COLUMNS, rows, { width, paint: painter(false), glyphs }))
        expect(stringWidth(line)).to.be.at.most(width);
    }
  });

  it('a first column that is narrow stays as it is in a table that is too wide', () => {
    const lines = table(COLUMNS, [['a', '1'.repeat(40), '2']], { width: 30, paint: painter(false), glyphs });
    expect(lines[1]).to.match(/^a     1/);
  });

  it('narrow tables omit columns that do not fit', () => {
    const columns = [...COLUMNS, { head: 'wide', from: 80 }];
    const rows = [['a', '1', '2', '3']];
    expect(table(columns, rows, { width: 79, paint: painter(false), glyphs })[0]).to.not.include('wide');
    expect(table(columns, rows, { width: 80, paint: painter(false), glyphs })[0]).to.include('wide');
  });

  it('cut never splits a character', () => {
    expect(cut('👩‍👩‍👧👩‍👩‍👧', 3)).to.equal('👩‍👩‍👧…');
    expect(cut('日本語', 4)).to.equal('日…');
    expect(cut('abc', 3)).to.equal('abc');
  });

  it('a text is empty where its ellipsis has no room', () => {
    expect(cut('abcdef', 2, '...')).to.equal('');
    expect(cut('ab', 0)).to.equal('');
  });

  it('joined parts are indented from their second line on', () => {
    const options = { gap: ' ', indent: 4, width: 20 };
    expect(joined(['aaaaaa bbbbbb cccccc dddddd', 'e'], options)).to.deep.equal([
      'aaaaaa bbbbbb',
      '    cccccc dddddd',
      '    e',
    ]);
    expect(joined(['aaaaaa', 'bbbbbb', 'cccccc', 'dd eeeeeeeeeeee'], options)).to.deep.equal([
      'aaaaaa bbbbbb cccccc',
      '    dd eeeeeeeeeeee',
    ]);
  });

  it('a sparkline has a column for values below its scale', () =>
    expect(sparkline([1, 5, 9], { heights: ['a', 'b', 'c'], columns: 3, low: 4, high: 9 })).to.equal('aac'));

  it('padding and wrapping count columns, not characters', () => {
    expect(padded('日本', 6)).to.equal('日本  ');
    expect(wrapped('日本日本 日本日本', 2, 14)).to.equal('日本日本\n  日本日本');
  });
});
