import { expect } from 'chai';

import { hasColors, hasUnicode } from '../../../lib/core/cli/output.js';

const TTY = { isTTY: true };
const PIPE = {};

describe('output to a terminal', () => {
  for (const [title, stream, env, choice, expected] of [
    ['a terminal has colors', TTY, {}, 'auto', true],
    ['a pipe has none', PIPE, {}, 'auto', false],
    ['a dumb terminal has none', TTY, { TERM: 'dumb' }, 'auto', false],
    ['NO_COLOR takes them away', TTY, { NO_COLOR: '1' }, 'auto', false],
    ['an empty NO_COLOR does not', TTY, { NO_COLOR: '' }, 'auto', true],
    ['FORCE_COLOR gives them to a pipe', PIPE, { FORCE_COLOR: '1' }, 'auto', true],
    ['FORCE_COLOR=3 does, too', PIPE, { FORCE_COLOR: '3' }, 'auto', true],
    ['FORCE_COLOR=0 takes them away', TTY, { FORCE_COLOR: '0' }, 'auto', false],
    ['an empty FORCE_COLOR decides nothing', PIPE, { FORCE_COLOR: '' }, 'auto', false],
    ['FORCE_COLOR is stronger than NO_COLOR, as in Node', PIPE, { FORCE_COLOR: '1', NO_COLOR: '1' }, 'auto', true],
    ['CLICOLOR_FORCE gives them to a pipe', PIPE, { CLICOLOR_FORCE: '1' }, 'auto', true],
    ['CLICOLOR_FORCE=0 decides like an empty one', PIPE, { CLICOLOR_FORCE: '0' }, 'auto', false],
    ['CLICOLOR=0 takes them away', TTY, { CLICOLOR: '0' }, 'auto', false],
    ['--color always is stronger than all', PIPE, { NO_COLOR: '1', TERM: 'dumb' }, 'always', true],
    ['--color never is stronger than all', TTY, { FORCE_COLOR: '1' }, 'never', false],
  ])
    it(title, () => expect(hasColors(stream, env, choice)).to.equal(expected));

  for (const [title, env, platform, expected] of [
    ['a locale of UTF-8 has Unicode', { LANG: 'de_DE.UTF-8' }, 'linux', true],
    ['utf8 is another spelling', { LANG: 'en_US.utf8' }, 'linux', true],
    ['LC_ALL is stronger than LANG', { LANG: 'de_DE.UTF-8', LC_ALL: 'C' }, 'linux', false],
    ['LC_CTYPE is stronger than LANG', { LANG: 'C', LC_CTYPE: 'C.UTF-8' }, 'linux', true],
    ['no locale has none', {}, 'linux', false],
    ['no locale on macOS has', {}, 'darwin', true],
    ['no locale in a CI job has', { CI: 'true' }, 'linux', true],
    ['the console of Linux has none', { LANG: 'C.UTF-8', TERM: 'linux' }, 'linux', false],
    ['Windows Terminal has', { WT_SESSION: '1' }, 'win32', true],
    ['the console of Windows has none', {}, 'win32', false],
  ])
    it(title, () => expect(hasUnicode(env, platform)).to.equal(expected));
});
