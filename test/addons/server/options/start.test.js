import { expect } from 'chai';

import { maskStart, mergeStart, readStart, refuseStart } from '../../../../lib/addons/server/options/target.js';

describe('the option start', () => {
  it('a command is a line, a program and its arguments, or an object', () => {
    const rest = { env: {}, cwd: '.', timeout: 30_000 };
    expect(readStart('node app.js')).to.deep.equal({ command: 'node app.js', ...rest });
    expect(readStart(['node', 'app.js'])).to.deep.equal({ command: ['node', 'app.js'], ...rest });
    expect(
      readStart({ command: 'node app.js', ready: '/health', env: { A: 1 }, cwd: 'app', timeout: '5s' }),
    ).to.deep.equal({ command: 'node app.js', ready: '/health', env: { A: '1' }, cwd: 'app', timeout: 5000 });
  });

  for (const { given, reason } of [
    { given: ' ', reason: /^expected a command/ },
    { given: [], reason: /^expected a command/ },
    { given: ['node', 1], reason: /^expected a command/ },
    { given: 7, reason: /^expected a command/ },
    { given: null, reason: /^expected a command/ },
    { given: { ready: '/x' }, reason: /^needs the command/ },
    { given: { command: 'x', url: '/x' }, reason: /^unknown property "?'?url'?"?; use command, ready/ },
    { given: { command: 'x', ready: 'health' }, reason: /^ready: expected a URL/ },
    { given: { command: 'x', ready: 'ftp://x/' }, reason: /^ready: expected a URL/ },
    { given: { command: 'x', env: { A: {} } }, reason: /^env: expected an object of variables, got an object$/ },
    { given: { command: 'x', cwd: '' }, reason: /^cwd: / },
    { given: { command: 'x', timeout: 0 }, reason: /^timeout: / },
  ]) {
    it(`${JSON.stringify(given)} is refused with the reason`, () => {
      expect(refuseStart(given)).to.match(reason);
      expect(readStart(given)).to.equal(undefined);
    });
  }

  it('layers are combined field by field', () => {
    const below = { command: 'node a.js', ready: '/health' };
    expect(mergeStart(below, 'node b.js')).to.deep.equal({ command: 'node b.js', ready: '/health' });
    expect(mergeStart('node a.js', { timeout: '5s' })).to.deep.equal({ command: 'node a.js', timeout: '5s' });
    expect(mergeStart(below, 7)).to.equal(7);
  });

  it('results show neither secrets of the command nor secret variables', () => {
    expect(maskStart({ command: ['app', '--token=abc'], env: { TOKEN: 'abc', MODE: 'fast' } })).to.deep.equal({
      command: 'app --token=***',
      env: { TOKEN: '***', MODE: 'fast' },
    });
  });
});
