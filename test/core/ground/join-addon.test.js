import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import '../../../lib/core/flow/protocols/index.js';
import { joinAddon, joinAddonNow, joinedAddons } from '../../../lib/core/ground/join-addon.js';
import { malformedRow } from '../../../lib/core/ground/malformed-row.js';
import { ADDONS } from '../../../lib/addons.js';
import { inFolder } from '../../support/in-folder.js';

const FACTS = "door: 1, name: 'own', about: 'mine'";
const FILES = {
  'text.mjs': "export default 'text'",
  'nameless.mjs': 'export default { door: 1, about: "mine" }',
  'throws.mjs': "throw new Error('no licence')",
  'waits.mjs': `await 1; export default { ${FACTS} }`,
  'older.mjs': "export default { name: 'own', about: 'mine' }",
  'newer.mjs': "export default { door: 7, name: 'own', about: 'mine' }",
  'unknown.mjs': `export default { ${FACTS}, format: [] }`,
  'row.mjs': `export default { ${FACTS}, formats: {} }`,
  'late.mjs': `export default { ${FACTS}, protocols: [] }`,
};

/** Malformed rows, with what is wrong with them. */
const MALFORMED = [
  [
    "checks: [{ load: () => [{ name: 'reply', about: 'a', reads: 'body', type: 'string' }] }]",
    'checks[0].load()[0] (reply) without schema; write an object',
  ],
  ['checks: [{}]', 'checks[0] without load; write a function'],
  ['checks: [{ load: () => ({}) }]', 'checks[0].load() that is not a list; write a list'],
  ["checks: [{ load() { throw new Error('no file') } }]", 'checks[0].load(), which throws: no file; correct it'],
  [
    "commands: [{ name: 'greet', about: 'greet', topic: 'words' }]",
    'commands[0] (greet) without load; write a function',
  ],
  ["formats: [{ name: 'own', about: 'a', load() {} }]", 'formats[0] (own) without extension; write a text'],
  ['formats: [null]', 'formats[0] that is not an object; write an object'],
  ["tokens: [{ name: 1, about: 'a' }]", 'tokens[0].name that is not a text; write a text'],
  ['documentTypes: [1]', 'documentTypes[0] that is not a text; write a text'],
  ['errors: [{ codes: { E_OWN: {} } }]', 'errors[0].codes.E_OWN without message; write a text'],
];

describe('joining an add-on of another package', () => {
  for (const [name, reason] of [
    ['./none.mjs', /^the add-on \.\/none\.mjs does not exist: .+none\.mjs; check the path$/],
    ['bench-rest-none', /^the add-on bench-rest-none is not installed in .+; npm install bench-rest-none$/],
    ['text.mjs', /is no package in .+; it is a file: write \.\/text\.mjs$/],
    ['./text.mjs', /is no add-on of bench-rest; its default export must be \{ door: 1, name, about, … \}$/],
    ['./nameless.mjs', /is no add-on of bench-rest/],
    ['./throws.mjs', /throws while it is loaded: no licence; look at .+throws\.mjs$/],
    ['./older.mjs', /is for version none of the door, and this bench-rest has version 1; write door: 1/],
    ['./newer.mjs', /is for version 7 of the door, and this bench-rest has version 1; update bench-rest$/],
    ['./unknown.mjs', /offers format; that is unknown, did you mean formats\?$/],
    ['./row.mjs', /has formats that is no list; write a list of rows$/],
    ['./late.mjs', /offers protocols, and bench-rest was loaded before; join it first: import \{ join \} from/],
    ['', /is no text; write its name/],
  ])
    it(`refuses ${name || 'an empty name'}: ${reason.source}`, () =>
      inFolder(async (folder) => {
        const error = await joinAddonOf(name, folder);
        expect(error).to.include({ code: 'E_ADDON' });
        expect(error.message).to.match(reason);
        expect(joinedAddons()).to.deep.equal([]);
      }, FILES));

  for (const [rows, problem] of MALFORMED)
    it(`refuses ${rows}`, () => {
      const [, reason, cure] = /^(.*); (.*)$/.exec(problem);
      expect(malformedRow(factsOf(rows))).to.deep.equal({ reason: `has ${reason}`, cure });
    });

  it('accepts rows that have what they need', () => {
    const rows = "formats: [{ name: 'own', about: 'a', extension: '.own', load() {} }], checks: [{ load: () => [] }]";
    expect(malformedRow(factsOf(rows))).to.equal(null);
  });

  it('our own rows have what rows of others need', async () => {
    for (const { name } of ADDONS) {
      const { default: facts, ofCommand } = await import(`../../../lib/addons/${name}/addon.js`);
      expect(malformedRow({ ...facts, ...ofCommand }), name).to.equal(null);
    }
  });

  it('a program that loads an add-on which waits gets an error', () =>
    inFolder((folder) => {
      if (process.features.require_module === false) return;
      expect(() => joinAddonNow('./waits.mjs', folder)).to.throw('waits while it is loaded (await)');
    }, FILES));

  it('finds packages as Node does, also those that export for import alone', () =>
    inFolder(async (folder) => {
      for (const [name, exports] of Object.entries({ plain: undefined, alone: { '.': { import: './index.js' } } })) {
        const home = join(folder, 'node_modules', `bench-rest-${name}`);
        mkdirSync(home, { recursive: true });
        writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module', exports }));
        writeFileSync(join(home, 'index.js'), FILES['newer.mjs']);
        const error = await joinAddonOf(`bench-rest-${name}`, folder);
        expect(error.message).to.include('is for version 7');
      }
    }));
});

const factsOf = (rows) => new Function(`return { ${rows} }`)();

const joinAddonOf = (name, folder) =>
  (async () => joinAddon(name, folder))().then(
    () => expect.fail('it was joined'),
    (error) => error,
  );
