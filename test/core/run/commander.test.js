import { expect } from 'chai';
import { Command } from 'commander';

import { withoutCommander } from '../../../lib/core/run/benchrest.js';

/** A program whose command line is `-n 20 -c 3 --site a url`. */
const program = (command = new Command()) =>
  command
    .version('1.0.0')
    .argument('[url]')
    .option('-n, --iterations <n>')
    .option('-c, --limit <n>', 'virtual users', Number)
    .option('-s, --site <name>');
const ARGV = ['node', 'program.js', '-n', '20', '-c', '3', '--site', 'a', 'url'];

describe('the object of commander as options', () => {
  it('the options that a program declares are run options', () =>
    expect(withoutCommander(program().parse(ARGV))).to.deep.equal({ iterations: '20', limit: 3, site: 'a' }));

  it('so are those of versions that store them on the program, and its operands and its version are none', () => {
    const old = program(new Command().storeOptionsAsProperties()).parse(ARGV);
    expect(withoutCommander(old)).to.deep.equal({ iterations: '20', limit: 3, site: 'a' });
  });

  it('values that code has set on the program count', () => {
    const command = program().parse(ARGV);
    expect(withoutCommander(Object.assign(command, { limit: 7, progress: 1000 }))).to.include({
      limit: 7,
      progress: 1000,
    });
  });

  it('other options are the same object', () => {
    const options = { limit: 1, opts: () => ({}) };
    expect(withoutCommander(options)).to.equal(options);
  });
});
