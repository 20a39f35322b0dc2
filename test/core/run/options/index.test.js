import { expect } from 'chai';

import { ENDS, OPTION_GROUPS, RUN_OPTIONS } from '../../../../lib/core/run/options/index.js';
import { readOption } from '../../../../lib/core/run/options/row.js';

describe('run/options', () => {
  it('every group has a name of its own and rows', () => {
    const groups = OPTION_GROUPS.map(({ group }) => group);
    expect(new Set(groups).size).to.equal(groups.length);
    for (const { group, rows } of OPTION_GROUPS) expect(rows, group).to.not.have.lengthOf(0);
  });

  for (const key of ['name', 'flag', 'env']) {
    it(`no two options share a ${key}`, () => {
      // '-n, --iterations <n>' declares two flags
      const values = RUN_OPTIONS.flatMap((row) => row[key]?.replace(/ [<[].*/, '').split(', ') ?? []);
      expect(values.filter((value, i) => values.indexOf(value) !== i)).to.deep.equal([]);
    });
  }

  it('hosts that get credentials may have a slash, and need a possible port', () => {
    const row = RUN_OPTIONS.find(({ name }) => name === 'credentialsFor');
    expect(row.check(['*', '*.a.test', '[::1]:80', 'https://a.test:1/', 'a.test/'])).to.equal(true);
    expect(row.check(['a.test:99999'])).to.equal(false);
  });

  it('every option that ends a run has a row', () => {
    expect(RUN_OPTIONS.map(({ name }) => name)).to.include.members(ENDS);
  });

  for (const row of RUN_OPTIONS) {
    describe(row.name, () => {
      it('has a help text: one lower-case phrase without a full stop', () => {
        expect(row.about)
          .to.match(/^(a |an |[a-z]|HTTP|TLS|base URL)/)
          .and.not.match(/\.$|\n/);
      });

      it('has a type, a JSON Schema or null, a check and a text that describes valid values', () => {
        expect(row.type).to.be.a('string').and.not.equal('');
        expect(row.schema === null || typeof row.schema === 'object').to.equal(true);
        expect(row.expected).to.match(/^\S.*[^.]$/);
        expect(row.check(readOption(row, Symbol('no option is a symbol')))).to.be.oneOf([false, undefined]);
      });

      it('refuses values that have no text, also in a list', () => {
        for (const value of [Object.create(null), { toString: null, valueOf: null }, Symbol('a')])
          for (const given of [value, [value]])
            expect(() => row.refuse?.(given) ?? readOption(row, given)).to.not.throw();
      });

      it('has defaults that its check accepts', () => {
        const defaults = [row.default, row.commandDefault].filter((value) => value !== undefined);
        for (const value of defaults) expect(row.check(readOption(row, value)), String(value)).to.equal(true);
      });

      if (row.flag) {
        it('has a flag that takes a value unless it is a boolean', () => {
          expect(row.flag).to.match(/^(-\w, )?--[a-z\d-]+( <[a-z:=]+>| \[[a-z]+\])?$/);
          const takesValue = /[<[]/.test(row.flag);
          expect(takesValue || /^boolean\b/.test(row.type)).to.equal(true);
          expect(takesValue && row.type === 'boolean').to.equal(false);
        });
      }
    });
  }
});
