import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { hideArguments, maskedArguments } from '../lib/core/cli/hide-arguments.js';
import { spawned } from './support/command.js';
import { itSlow } from './support/slow.js';

describe('X67 the arguments of the process', () => {
  for (const [args, shown] of [
    [
      ['-n', '5', 'http://a/'],
      ['-n', '5', 'http://a/'],
    ],
    [
      ['-u', 'bob', '-p', 'pw'],
      ['-u', '***', '-p', '***'],
    ],
    [
      ['--password=pw', '-ppw', '-p=pw', '--passphrase', 'pw'],
      ['--password=***', '-p***', '-p=***', '--passphrase', '***'],
    ],
    [
      ['-H', 'Authorization: Bearer pw', '-H', 'accept: a', '--header=X-Goog-Api-Key: pw', '-HCookie:pw'],
      ['-H', 'Authorization: ***', '-H', 'accept: a', '--header=X-Goog-Api-Key: ***', '-HCookie: ***'],
    ],
    [
      ['-C', 'a=pw', '--arg', 'token=pw', '--arg', 'a=b', 'http://u:pw@h/?key=pw&a=1', '-x', 'http://u:pw@p'],
      ['-C', '***', '--arg', 'token=***', '--arg', 'a=b', 'http://***@h/?key=***&a=1', '-x', 'http://***@p'],
    ],
    [
      ['-b', '{"password":"pw"}', '--queue', 'redis://:pw@h'],
      ['-b', '{"password":"***"}', '--queue', 'redis://***@h'],
    ],
    [
      ['--cookies', 'a=pw', '--headers', 'X-Api-Key: pw', '--Password', '-pw', '--auth=u:pw', '--keep_alive', 'x'],
      ['--cookies', '***', '--headers', 'X-Api-Key: ***', '--Password', '***', '--auth=***', '--keep_alive', 'x'],
    ],
    [
      ['-e', "curl -u 'bob:my pw' http://a/", '--evaluate=curl -upw', '-ecurl -u pw'],
      ['-e', 'curl ***', '--evaluate=curl ***', '-ecurl ***'],
    ],
  ])
    it(`X67 ${args.join(' ')}`, () => expect(maskedArguments(args)).to.deep.equal(shown));

  it('X67 the title is set if there is a secret alone', () => {
    const process_ = { title: 'node' };
    hideArguments(['-n', '1'], process_);
    expect(process_.title).to.equal('node');
    hideArguments(['-n', '1', '-p', 'pw'], process_);
    expect(process_.title).to.equal('bench-rest -n 1 -p ***');
  });

  itSlow('X67 the arguments of a running command have no password', async function () {
    if (process.platform !== 'linux') return this.skip();
    const args = ['--serve', '--forever', '-u', 'bob', '-p', 'CANARY-pw', '-H', 'X-Api-Key: CANARY-key', '--dashboard'];
    let seen = '';
    await spawned(args, {
      async act(child, heard) {
        await heard(/dashboard: /);
        seen = readFileSync(`/proc/${child.pid}/cmdline`, 'latin1');
        child.kill('SIGTERM');
      },
    });
    expect(seen)
      .to.match(/^bench-rest --serve --forever -u \*\*\* -p \*\*\*/)
      .and.not.include('CANARY');
  });
});
