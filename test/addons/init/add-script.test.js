import { expect } from 'chai';

import { addScript } from '../../../lib/addons/init/init-project.js';
import fc from '../../support/fast-check.js';
import { itSlow } from '../../support/slow.js';

const add = (text) => addScript(text, 'bench', 'bench-rest x');

describe('cli/init/addScript', () => {
  const rows = [
    ['an empty object', '{}', '{\n  "scripts": {\n    "bench": "bench-rest x"\n  }\n}'],
    [
      'a file with other scripts, and keeps arrays on one line',
      '{\n  "files": ["a", "b"],\n  "scripts": {\n    "test": "mocha"\n  }\n}\n',
      '{\n  "files": ["a", "b"],\n  "scripts": {\n    "test": "mocha",\n    "bench": "bench-rest x"\n  }\n}\n',
    ],
    [
      'a file without scripts',
      '{\n    "name": "x"\n}\n',
      '{\n    "name": "x",\n    "scripts": {\n        "bench": "bench-rest x"\n    }\n}\n',
    ],
    [
      'a file with tabs and CRLF',
      '{\r\n\t"scripts": {},\r\n\t"a": 1\r\n}\r\n',
      '{\r\n\t"scripts": {\r\n\t\t"bench": "bench-rest x"\r\n\t},\r\n\t"a": 1\r\n}\r\n',
    ],
    ['a file of one line', '{"scripts":{"a":"b"}}', '{"scripts":{"a":"b", "bench": "bench-rest x"}}'],
    ['a file with a byte order mark', '\ufeff{"a":1}', '\ufeff{"a":1, "scripts": { "bench": "bench-rest x" }}'],
  ];
  for (const [what, before, after] of rows) it(`extends ${what}`, () => expect(add(before)).to.equal(after));

  it('returns null if there is a script of this name, whatever it does', () => {
    expect(add('{ "scripts": { "bench": "" } }')).to.equal(null);
  });

  it('extends the last of several entries, as JSON.parse reads it', () => {
    const text = '{ "scripts": { "bench": "x" }, "scripts": { "a": "y" } }';
    expect(JSON.parse(add(text)).scripts).to.deep.equal({ a: 'y', bench: 'bench-rest x' });
  });

  for (const text of ['', '[]', 'null', '{ "scripts": [] }', '{ "scripts": null }', "{ 'a': 1 }"]) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(() => add(text)).to.throw(SyntaxError));
  }

  itSlow('changes nothing but the scripts', () => {
    const scripts = fc.dictionary(fc.string(), fc.string());
    const property = fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      scripts,
      fc.nat(4),
      (file, own, indent) => {
        delete own.bench;
        for (const value of [
          { ...file, scripts: own },
          { ...file, scripts: undefined },
        ]) {
          const text = JSON.stringify(value, null, indent);
          const expected = { ...JSON.parse(text), scripts: { ...JSON.parse(text).scripts, bench: 'bench-rest x' } };
          expect(JSON.parse(add(text))).to.deep.equal(expected);
        }
      },
    );
    fc.assert(property, { numRuns: 100 });
  });
});
