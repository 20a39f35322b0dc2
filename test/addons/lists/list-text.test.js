import { expect } from 'chai';

import { loadCommands } from '../../../lib/core/cli/commands/index.js';
import { LISTINGS, listText } from '../../../lib/addons/lists/list-text.js';
import { refuseFlags } from '../../../lib/core/cli/refuse-arguments.js';
import { createProgram } from '../../../lib/core/cli/options.js';
import { HOOKS } from '../../../lib/core/hooks/index.js';
import { command } from '../../support/command.js';

const commands = await loadCommands();

describe('cli/list-text', () => {
  for (const [name, { rows }] of Object.entries(LISTINGS)) {
    it(`list ${name} prints one line per row, with its text`, () => {
      const lines = listText(name).trimEnd().split('\n');
      expect(rows()).to.have.length.above(0);
      expect(lines).to.have.lengthOf(rows().length);
      rows().forEach((row, i) => {
        expect(row.about, `${row.name} has a text`).to.be.a('string').and.not.equal('');
        expect(lines[i].trim().split(/ {2,}/)).to.deep.equal([row.name, row.about]);
      });
    });
  }

  it('texts are lower case and have no full stop, except those of errors', () => {
    const { 'error-codes': _, 'error-kinds': __, ...others } = LISTINGS;
    const texts = Object.values(others).flatMap(({ about, rows }) => [about, ...rows().map((row) => row.about)]);
    expect(texts.filter((text) => /^[A-Z][a-z]/.test(text) || /\.$/.test(text))).to.deep.equal([]);
  });

  it('synonyms are names that the documents use', () => {
    const names = Object.fromEntries(LISTINGS.synonyms.rows().map(({ name, about }) => [name, about]));
    expect(names).to.include({ del: 'delete', uri: 'url', '--json': '--format json', '--data': '--body' });
    expect(names).to.include({ '--unix-socket': '--socket-path', '--ipv4': '--family 4' });
    expect(names).not.to.have.any.keys('--vus', '--connections', '-X POST');
  });

  it('flags of other tools among the synonyms are accepted as ours', () => {
    const program = createProgram({ version: '', commands, env: {}, submit() {} });
    const flags = LISTINGS.synonyms.rows().filter(({ name, about }) => name.startsWith('-') && about.startsWith('--'));
    for (const { name } of flags) expect(refuseFlags([...name.split(' '), '1'], program).flags, name).to.deep.equal([]);
  });

  it('lines are wrapped at the width of the terminal', () => {
    const lines = listText('hooks', { width: 60 }).split('\n');
    expect(lines.length).to.be.above(HOOKS.length + 1);
    expect(Math.max(...lines.map((line) => line.length))).to.be.at.most(60);
  });

  it('the command prints the names of the lists, or one list', async () => {
    const all = await command(['list']);
    expect(all).to.include({ code: 0, stderr: '' });
    for (const name of Object.keys(LISTINGS)) expect(all.stdout).to.include(`  ${name} `);
    const one = await command(['list', 'hooks']);
    expect(one).to.include({ code: 0, stdout: listText('hooks') });
  });

  it('an unknown list is refused with the nearest name', async () => {
    const { code, stdout, stderr } = await command(['list', 'hoks']);
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.include("unknown list 'hoks'; did you mean hooks?");
  });
});
