import { expect } from 'chai';

import { loadCommands } from '../lib/core/cli/commands/index.js';
import { SPELLINGS } from '../lib/core/cli/program.js';
import { createProgram } from '../lib/core/cli/options.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { otherNames } from '../lib/core/run/options/names.js';

const OTHER_NAMES = otherNames().names;
const program = createProgram({ version: '', commands: await loadCommands(), env: {}, submit() {} });
const flags = program.options.flatMap(({ short, long }) => [short?.slice(1), long?.slice(2)]).filter(Boolean);
const namesOf = (rows) => rows.flatMap(({ names }) => names.split(' '));

describe('run/options/other-names', () => {
  for (const kind of ['flag', 'option'])
    it(`has each name once as ${kind === 'flag' ? 'a flag' : 'an option'}`, () => {
      const all = namesOf(OTHER_NAMES.filter(({ only = kind }) => only === kind));
      expect(all.filter((name, i) => all.indexOf(name) !== i)).to.deep.equal([]);
    });

  it('has about 60 rows or more, of eight tools', () => {
    expect(OTHER_NAMES).to.have.length.above(55);
    const tools = new Set(OTHER_NAMES.flatMap(({ tools: list }) => list?.split(', ') ?? []));
    expect([...tools]).to.include.members(['ab', 'autocannon', 'hey', 'k6', 'loadtest', 'oha', 'vegeta', 'wrk']);
  });

  it('has no name that is a flag here: its answer would never be printed', () => {
    const answered = namesOf(OTHER_NAMES.filter(({ only }) => only !== 'option'));
    expect(answered.filter((name) => flags.includes(name))).to.deep.equal([]);
    expect(answered.filter((name) => Object.hasOwn(SPELLINGS, name))).to.deep.equal([]);
  });

  it('names run options and flags that there are, or says what to write', () => {
    for (const { names, only, option, flag, hint } of OTHER_NAMES) {
      const row = RUN_OPTIONS.find(({ name }) => name === option);
      if (option !== undefined) expect(row, names).to.be.an('object');
      if (flag !== undefined) expect(flags, names).to.include(flag.replace(/.*--/, ''));
      expect(row?.flag ?? flag ?? hint, names).to.be.a('string');
      const hasLongName = names.split(' ').some((name) => name.length > 1);
      if (hasLongName && only !== 'flag') expect(option ?? hint, `${names}, as a run option`).to.be.a('string');
    }
  });
});
