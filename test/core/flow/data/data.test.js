import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { findRecords, splitRecord } from '../../../../lib/core/flow/data/csv.js';
import { openFeeders } from '../../../../lib/core/flow/data/open-feeders.js';
import { createProblems } from '../../../../lib/core/ground/problems.js';
import fc from '../../../support/fast-check.js';
import { itSlow } from '../../../support/slow.js';

let folder;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name, content) => writeFileSync(join(folder, name), content);

function open(data, options = {}) {
  const problems = createProblems('E_FLOW');
  const feeders = openFeeders(data, { folder, seed: 1, problems, ...options });
  return { feeders, problems: problems.list.map(({ path, reason }) => `${path}: ${reason}`) };
}

/** The rows that the first iterations get. */
function rows(given, count, options) {
  const { feeders, problems } = open({ users: given }, options);
  expect(problems).to.deep.equal([]);
  const feeder = feeders.get('users');
  return Array.from({ length: count ?? feeder.count }, (_, index) => ({ ...feeder.row(index) }));
}

const refusal = (given) => open({ users: given }).problems.join('\n');

describe('flow/data: CSV', () => {
  it('a file of thousands of rows has each of them', () => {
    const count = 5000;
    const lines = Array.from({ length: count }, (_, i) => `${i},${'x'.repeat(i % 7)}`);
    write('many.csv', `id,text\n${lines.join('\n')}`);
    const read = rows('many.csv', count);
    expect(read.map(({ id, text }) => `${id},${text}`)).to.deep.equal(lines);
  });

  for (const [what, content, expected] of [
    ['the first line names the columns', 'id,name\n1,Ann\n2,Bob\n', [{ id: '1', name: 'Ann' }, { id: '2', name: 'Bob' }]],
    ['the last line needs no end', 'id\n1\n2', [{ id: '1' }, { id: '2' }]],
    ['a BOM, CRLF, CR and empty lines are no values', '\ufeffid,name\r\n\r\n1,Ann\r\n\n2,Bob\r3,Cy\n\n', [
      { id: '1', name: 'Ann' },
      { id: '2', name: 'Bob' },
      { id: '3', name: 'Cy' },
    ]],
    ['quotes hold delimiters, line ends and doubled quotes', 'a,b\n"x,y","say ""hi""\r\nto all"\n', [
      { a: 'x,y', b: 'say "hi"\r\nto all' },
    ]],
    ['values may be empty, and keep their spaces', 'a,b,c\n, x ,""\n', [{ a: '', b: ' x ', c: '' }]],
    ['names are quoted like values', '"first, name",b\n1,2\n', [{ 'first, name': '1', b: '2' }]],
    ['other alphabets', 'naïve,名\nü,😀\n', [{ naïve: 'ü', 名: '😀' }]],
  ]) {
    it(what, () => {
      write('users.csv', content);
      expect(rows('users.csv')).to.deep.equal(expected);
    });
  } // prettier-ignore

  it('B33 a row has no prototype, so a column can have any name', () => {
    write('users.csv', '__proto__,constructor\na,b\n');
    const row = open({ users: 'users.csv' }).feeders.get('users').row(0);
    expect(Object.entries(row)).to.deep.equal([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect(row.toString).to.equal(undefined);
    expect({}.a).to.equal(undefined);
  });

  it('the delimiter is a comma, a tab in .tsv files, or the one of the definition', () => {
    write('users.tsv', 'a\tb\n1\t2,3\n');
    write('users.csv', 'a;b\n1;"2;3"\n');
    expect(rows('users.tsv')).to.deep.equal([{ a: '1', b: '2,3' }]);
    expect(rows({ file: 'users.csv', delimiter: ';' })).to.deep.equal([{ a: '1', b: '2;3' }]);
  });

  it('columns names those of a file without a line of names', () => {
    write('users.csv', '1,Ann\n2,Bob\n');
    expect(rows({ file: 'users.csv', columns: ['id', 'name'] }, 1)).to.deep.equal([{ id: '1', name: 'Ann' }]);
  });

  for (const [what, content, expected] of [
    ['ragged rows, with the line of the first one', 'a,b\n1,2\n\n1\n1,2,3\n', /^flow\.data\.users: users\.csv:4: has 1 value, but a row needs 2 \(a, b\); 1 other row does not fit, either: write values that contain "," or line ends in quotes$/], // prettier-ignore
    ['a quote that is not closed', 'a\nx\n"y\n\n', /users\.csv:3: a quote is not closed/],
    ['a quote within a value', 'a\n5" disk\n', /users\.csv:2: a quote within a value: write it twice/],
    ['text after a closing quote', 'a\n"x"y\n', /users\.csv:2: text after a closing quote/],
    ['two columns of one name', 'a,b,a\n1,2,3\n', /users\.csv:1: two columns are named a: rename one/],
    ['a column without a name', 'a,,c\n1,2,3\n', /users\.csv:1: column 2 has no name/],
    ['no rows', 'a,b\n', /users\.csv:2: has no rows/],
    ['an empty file', '', /users\.csv:1: has no columns: name them in the first line/],
    ['UTF-16', Buffer.from('\ufeffa\n1', 'utf16le'), /users\.csv is UTF-16: save it as UTF-8/],
    ['other encodings', Buffer.from('a\n\xfc\n', 'latin1'), /users\.csv is not UTF-8: save it as UTF-8/],
  ]) {
    it(`B15 refuses ${what}`, () => {
      write('users.csv', content);
      expect(refusal('users.csv')).to.match(expected);
    });
  }

  it('reads what a writer of RFC 4180 has written, whatever the values are', () => {
    const value = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é') });
    const quoted = (/** @type {string} */ text) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.array(value, { minLength: 2, maxLength: 2 }), { minLength: 1 }), (table) => {
        const bytes = Buffer.from(table.map((record) => record.map(quoted).join(',')).join('\r\n'));
        const bounds = findRecords(bytes, { delimiter: 44 }).bounds.toArray();
        const read = table.map((_, i) => splitRecord(bytes.toString('utf8', bounds[2 * i], bounds[2 * i + 1]), ','));
        expect(read).to.deep.equal(table);
        expect(bounds.length).to.equal(2 * table.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe('flow/data: JSON', () => {
  it('reads an array of objects, whose values keep their types', () => {
    write('users.json', ' [ {"id": 1, "tags": ["a,b", "]\\"["], "on": null},\n{"id":2,"tags":[],"on":true} ] ');
    expect(rows('users.json')).to.deep.equal([
      { id: 1, tags: ['a,b', ']"['], on: null },
      { id: 2, tags: [], on: true },
    ]);
  });

  it('reads an object per line', () => {
    write('users.ndjson', '\ufeff{"id":1}\r\n\n  {"id":2}');
    write('users.jsonl', '{"id":3}\n');
    expect(rows('users.ndjson')).to.deep.equal([{ id: 1 }, { id: 2 }]);
    expect(rows('users.jsonl')).to.deep.equal([{ id: 3 }]);
  });

  it('reads rows of the flow; each iteration gets an object of its own', () => {
    const given = [{ id: 1, in: { a: 1 } }];
    const { feeders } = open({ users: given });
    feeders.get('users').row(0).in.a = 2;
    expect(feeders.get('users').row(1)).to.deep.equal({ id: 1, in: { a: 1 } });
    expect(given).to.deep.equal([{ id: 1, in: { a: 1 } }]);
  });

  it('B33 a name such as __proto__ is a column like others', () => {
    write('users.ndjson', '{"__proto__":{"a":1}}');
    const feeder = open({ users: 'users.ndjson' }).feeders.get('users');
    expect(feeder.reader('__proto__.a')(0)).to.equal(1);
    expect(() => feeder.reader('__proto__.constructor')(0)).to.throw('has no __proto__.constructor in the row');
    expect({}.a).to.equal(undefined);
  });

  for (const [what, name, content, expected] of [
    ['an object', 'json', '{"id":1}', /users\.json:1: expected an array of objects: .* a file of one object per line is \.ndjson/],
    ['a broken item', 'json', '[{"id":1},\n{"id":}]', /users\.json:2: is not JSON: expected a value/],
    ['an item that is no object', 'json', '[{"id":1},\n[1]]', /users\.json:2: expected an object, got an array/],
    ['an array without an end', 'json', '[{"id":1},\n{"id":2}', /users\.json:2: is not JSON: expected ',' or '\]', got the end/],
    ['a comma before the end', 'json', '[{"id":1},]', /users\.json:1: is not JSON: expected a value, got '\]'/],
    ['a bracket that is missing', 'json', '[\n{"id":1,\n{"id":2},\n{"id":3}]', /users\.json:3: is not JSON: expected a key .*, got "{"/],
    ['a bracket too many', 'json', '[\n{"id":1}},\n{"id":2}]', /users\.json:2: is not JSON: expected ',' or '\]', got "}"/],
    ['another kind of space', 'json', '[{"id":1},\n\v{"id":2}]', /users\.json:2: is not JSON: expected a value/],
    ['a line with another kind of space', 'ndjson', '{"id":1}\n\0', /users\.ndjson:2: is not JSON: expected a value/],
    ['text after the array', 'json', '[{"id":1}]\n]', /users\.json:2: is not JSON: expected the end of the text/],
    ['an empty array', 'json', '[]', /users\.json:1: has no rows/],
    ['an empty file', 'json', '', /users\.json:1: expected an array of objects/],
    ['a broken line', 'ndjson', '{"id":1}\n\n{"id":2', /users\.ndjson:3: is not JSON: /],
    ['a line that is no object', 'ndjson', '{"id":1}\n7', /users\.ndjson:2: expected an object, got 7/],
    ['values that are nested too deeply', 'ndjson', `{"a":${'['.repeat(600)}${']'.repeat(600)}}`, /users\.ndjson:1: nested deeper/],
  ]) {
    it(`B30 refuses ${what} in .${name}`, () => {
      write(`users.${name}`, content);
      expect(refusal(`users.${name}`)).to.match(expected);
    });
  } // prettier-ignore
});

describe('flow/data: columns', () => {
  const feeder = (content, name = 'users.csv') => {
    write(name, content);
    return open({ users: name }).feeders.get('users');
  };

  it('a misspelled column is refused with the nearest one, or with all columns', () => {
    const users = feeder('email,name\na,b\n');
    expect(users.refuse('email')).to.equal(undefined);
    expect(users.refuse('emial')).to.equal('is not a column of users.csv. Did you mean #{users.email}?');
    expect(users.refuse('x')).to.equal('is not a column of users.csv. Its columns are email, name');
  });

  it('a file that has another delimiter gets a hint', () =>
    expect(feeder('email;name\na;b\n').refuse('email')).to.equal(
      'is not a column of users.csv, whose only column is email;name: set delimiter: ";"',
    ));

  it('a column whose name has spaces in the file is named', () =>
    expect(feeder('email, name\na, b\n').refuse('name')).to.equal(
      'is not a column of users.csv: that is " name", remove the spaces from its first line',
    ));

  it('a value within a column of a CSV file is refused, as its values are texts', () =>
    expect(feeder('email,name\na,b\n').refuse('name.first')).to.equal(
      'is not a column of users.csv: name is a text, which has no values within it',
    ));

  it('a column that some rows lack is refused with the first of them', () => {
    const users = feeder('{"a":1,"b":2}\n{"a":1}\n{"a":1,"c":3}\n', 'users.ndjson');
    expect(users.refuse('a')).to.equal(undefined);
    expect(users.refuse('b')).to.equal('is not in every row: users.ndjson:2 has no b');
    expect(users.refuse('c')).to.equal('is not in every row: users.ndjson:1 has no c');
    expect(users.refuse('c.d')).to.equal('is not in every row: users.ndjson:1 has no c');
  });

  it('of the columns that some rows lack, 1,000 are remembered', () => {
    const lines = Array.from({ length: 1500 }, (_, i) => `{"a":1,"c${i}":1}`);
    const { table } = feeder(lines.join('\n'), 'users.ndjson');
    expect([table.columns, Object.keys(table.lacking).length]).to.deep.equal([['a'], 1000]);
  });

  it('dots lead to values within a column, unless a column has the whole name', () => {
    const users = feeder('{"a":{"b":1},"c.d":2}\n{"a":{},"c.d":2}', 'users.ndjson');
    expect(users.refuse('a.b')).to.equal(undefined);
    expect(users.reader('a.b')(0)).to.equal(1);
    expect(users.reader('c.d')(0)).to.equal(2);
    expect(() => users.reader('a.b')(1)).to.throw(
      'flow.data.users (users.ndjson) has no a.b in the row of iteration 1; add it to every row',
    );
    expect(() => users.reader('a.toString')(0)).to.throw('has no a.toString');
  });
});

describe('flow/data: cost', () => {
  itSlow('N14 many columns, and rows that have none in common, take linear time', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `c${i}`);
    write('users.csv', `${names.join(',')}\n${names.join(',')}\n`);
    expect(Object.keys(rows('users.csv', 1)[0])).to.have.lengthOf(20_000);
    write('users.ndjson', names.map((name) => `{"${name}":1}`).join('\n'));
    const { feeders } = open({ users: 'users.ndjson' });
    expect(feeders.get('users').count).to.equal(20_000);
    expect(feeders.get('users').refuse('c5')).to.equal('is not in every row: users.ndjson:1 has no c5');
  });
});

describe('flow/data: threads', () => {
  it('share the bytes of the rows, and read the same rows', () => {
    write('users.csv', '\ufeffid\n1\n"2"\n');
    for (const [name, given] of Object.entries({ file: 'users.csv', rows: [{ id: '1' }, { id: '2' }] }))
      for (const isShared of [true, false]) {
        const tables = open({ users: given }, { isShared }).feeders.tables();
        const { bytes, bounds } = tables.users;
        expect([bytes.buffer, bounds.buffer].every((memory) => memory instanceof SharedArrayBuffer)).to.equal(true);
        const { users } = structuredClone(tables);
        expect(users.bytes.buffer instanceof SharedArrayBuffer, name).to.equal(true);
        rmSync(join(folder, 'users.csv'), { force: true });
        expect(rows(given, 2, { tables: { users } })).to.deep.equal([{ id: '1' }, { id: '2' }]);
        write('users.csv', '\ufeffid\n1\n"2"\n');
      }
  });
});

describe('flow/data: orders', () => {
  const given = Array.from({ length: 50 }, (_, id) => ({ id }));
  const ids = (order, count, options) => rows({ rows: given, order }, count, options).map(({ id }) => id);

  it('sequential begins again after the last row', () =>
    expect(rows([{ id: 0 }, { id: 1 }, { id: 2 }], 5).map(({ id }) => id)).to.deep.equal([0, 1, 2, 0, 1]));

  it('shuffled has each row once per pass, in an order of the seed', () => {
    const twice = ids('shuffled', 100);
    expect(new Set(twice.slice(0, 50)).size).to.equal(50);
    expect(twice.slice(50)).to.deep.equal(twice.slice(0, 50));
    expect(twice.slice(0, 50)).to.not.deep.equal(given.map(({ id }) => id));
    expect(ids('shuffled', 100)).to.deep.equal(twice);
    expect(ids('shuffled', 100, { seed: 2 })).to.not.deep.equal(twice);
  });

  it('random has any row, by seed and INDEX', () => {
    const first = ids('random', 2000);
    expect(new Set(first).size).to.equal(50);
    expect(ids('random', 2000)).to.deep.equal(first);
    expect(ids('random', 2000, { seed: 2 })).to.not.deep.equal(first);
  });

  it('unique has each row once, and none for later iterations', () => {
    const { feeders } = open({ users: { rows: given, order: 'unique' } });
    const users = feeders.get('users');
    expect(users.row(49)).to.deep.equal({ id: 49 });
    expect(() => users.row(50)).to.throw(
      'flow.data.users has no row for iteration 50: each of its 50 rows is used once',
    );
    expect(users.endsRun).to.equal(true);
    expect(open({ users: { rows: given, order: 'unique', whenEmpty: 'fail' } }).feeders.get('users').endsRun).to.equal(false);
  }); // prettier-ignore
});

describe('flow/data: definitions', () => {
  for (const [given, expected] of [
    [7, /expected a path such as 'users\.csv', an array of rows or \{ file: 'users\.csv' \}, got 7/],
    [{}, /has no rows: write file: 'users\.csv', or rows/],
    [{ flie: 'users.csv' }, /flow\.data\.users\.flie: unknown property of a feeder, did you mean file\?/],
    [{ file: 'a.csv', rows: [{ a: 1 }] }, /has file and rows: use one of them/],
    [{ file: 'a.csv', order: 'any' }, /users\.order: expected sequential, shuffled, random, unique, got "any"/],
    [{ file: 'a.csv', whenEmpty: 'fail' }, /has whenEmpty, but only rows of order unique run out: remove it/],
    [{ file: 'a.csv', delimiter: '||' }, /users\.delimiter: expected one ASCII character/],
    [{ file: 'a.json', delimiter: ';' }, /users\.delimiter: is for csv, and this is json: remove it/],
    [[], /has no rows/],
    [[7], /users\.rows: expected an array of objects/],
    [[{ a: () => 1 }], /users\.rows: expected an array of objects, with values of JSON/],
    ['users.xls', /users\.xls is not a file of rows: expected \.csv, \.tsv, \.json, \.ndjson, \.jsonl/],
    ['users.cvs', /did you mean \.csv\?/],
    ['missing.csv', /missing\.csv does not exist; check the path/],
    ['../users.csv', /\.\.\/users\.csv is outside of the folder of the flow: write its absolute path, \//],
  ]) {
    it(`B30 ${JSON.stringify(given)} is refused`, () => expect(refusal(given)).to.match(expected));
  }

  it('a path is relative to the flow, and an absolute one leads anywhere', () => {
    mkdirSync(join(folder, 'in'));
    write('users.csv', 'a\n1\n');
    expect(rows('users.csv')).to.deep.equal([{ a: '1' }]);
    expect(rows(join(folder, 'users.csv'), 1, { folder: join(folder, 'in') })).to.deep.equal([{ a: '1' }]);
    expect(rows('./in/../users.csv')).to.deep.equal([{ a: '1' }]);
    write('..users.csv', 'a\n2\n');
    expect(rows('..users.csv')).to.deep.equal([{ a: '2' }]);
    expect(refusal('./in/../../users.csv')).to.match(/is outside of the folder of the flow/);
  });

  it('a folder and a link without a target are refused', () => {
    mkdirSync(join(folder, 'a.csv'));
    symlinkSync(join(folder, 'none'), join(folder, 'b.csv'));
    expect(refusal('a.csv')).to.match(/a\.csv is a directory; use a file in it/);
    expect(refusal('b.csv')).to.match(/b\.csv does not exist/);
  });
});
