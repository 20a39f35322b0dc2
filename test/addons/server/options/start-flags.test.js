import { expect } from 'chai';

import { runOptionsOf } from '../../../../lib/core/cli/flags/run-flags.js';

const optionsOf = (options, words) => runOptionsOf(options, { env: {}, words: () => words });

describe('flags of the start of a server', () => {
  it('the flags and the words after -- are one option', () => {
    expect(optionsOf({}, [])).to.deep.equal({});
    expect(optionsOf({ start: 'node app.js' }, [])).to.deep.equal({ start: 'node app.js' });
    expect(optionsOf({ start: 'node app.js', startReady: '/x' }, [])).to.deep.equal({
      start: { command: 'node app.js', ready: '/x' },
    });
    expect(optionsOf({ startTimeout: '5s' }, ['node', 'app.js'])).to.deep.equal({
      start: { command: ['node', 'app.js'], timeout: '5s' },
    });
    expect(optionsOf({ startApp: './app.js' }, [])).to.deep.equal({ start: { app: './app.js' } });
    // the command may be in the configuration file
    expect(optionsOf({ startReady: '/x' }, [])).to.deep.equal({ start: { ready: '/x' } });
  });

  it('two commands, and a URL in place of a command, are refused', () => {
    expect(() => optionsOf({ start: 'x' }, ['node'])).to.throw('use either --start or -- node, not both');
    expect(() => optionsOf({}, ['http://x/'])).to.throw('write http://x/ before it');
  });
});
