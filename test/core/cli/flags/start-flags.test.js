import { expect } from 'chai';

import { startOption } from '../../../../lib/core/cli/flags/run-flags.js';

describe('cli/flags/start-flags', () => {
  it('the flags and the words after -- are one option', () => {
    expect(startOption({}, [])).to.deep.equal({});
    expect(startOption({ start: 'node app.js' }, [])).to.deep.equal({ start: 'node app.js' });
    expect(startOption({ start: 'node app.js', startReady: '/x' }, [])).to.deep.equal({
      start: { command: 'node app.js', ready: '/x' },
    });
    expect(startOption({ startTimeout: '5s' }, ['node', 'app.js'])).to.deep.equal({
      start: { command: ['node', 'app.js'], timeout: '5s' },
    });
    // the command may be in the configuration file
    expect(startOption({ startReady: '/x' }, [])).to.deep.equal({ start: { ready: '/x' } });
  });

  it('two commands, and a URL in place of a command, are refused', () => {
    expect(() => startOption({ start: 'x' }, ['node'])).to.throw('use either --start or -- node, not both');
    expect(() => startOption({}, ['http://x/'])).to.throw('write http://x/ before it');
  });
});
