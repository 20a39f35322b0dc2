import { expect } from 'chai';

import { COMMANDS, loadCommands } from '../../../lib/core/cli/commands/index.js';

describe('the modules of commands', () => {
  it('a run loads no other command, unless the arguments may name it', async () => {
    const loadedFor = async (...args) => (await loadCommands(args)).filter(({ run }) => run).map(({ name }) => name);
    expect(await loadedFor('-n', '1', 'http://h/')).to.deep.equal(['run']);
    expect(await loadedFor('-n', '1', 'serve')).to.deep.equal(['run', 'serve']);
    expect(await loadedFor('--help')).to.deep.equal(COMMANDS.map(({ name }) => name));
  });
});
