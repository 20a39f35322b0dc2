/** @typedef {'auto' | 'always' | 'never'} ColorChoice the value of --color */

/**
 * Decides if colors are printed. The flag wins, then FORCE_COLOR, NO_COLOR, CLICOLOR_FORCE and CLICOLOR in the environment,
 * as Node, no-color.org and bixense.com/clicolors have them; empty ones count as not set.
 *
 * @param {{ isTTY?: boolean }} stream
 * @param {NodeJS.ProcessEnv} env
 * @param {ColorChoice} [choice]
 * @returns {boolean}
 */
export function hasColors(stream, env, choice = 'auto') {
  if (choice !== 'auto') return choice === 'always';
  if (env.FORCE_COLOR) return !isOff(env.FORCE_COLOR);
  if (env.NO_COLOR) return false;
  if (env.CLICOLOR_FORCE) return !isOff(env.CLICOLOR_FORCE);
  return Boolean(stream.isTTY) && env.TERM !== 'dumb' && env.CLICOLOR !== '0';
}

/** @type {(value: string) => boolean} */
function isOff(value) {
  return value === '0' || value === 'false';
}

/** The variables of the locale, the strongest first. */
const LOCALES = ['LC_ALL', 'LC_CTYPE', 'LANG'];
/** A terminal of Windows that has more than the characters of a code page sets one of these. */
const OF_WINDOWS = ['WT_SESSION', 'TERM_PROGRAM', 'TERM', 'ConEmuTask'];

/**
 * Reports whether the terminal, or whatever reads the output, understands UTF-8.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [platform]
 * @returns {boolean}
 */
export function hasUnicode(env, platform = process.platform) {
  // the console of Linux has few characters
  if (env.TERM === 'linux') return false;
  if (platform === 'win32') return Boolean(env.CI) || OF_WINDOWS.some((name) => env[name]);
  const locale = LOCALES.map((name) => env[name]).find(Boolean);
  // without a locale: macOS has UTF-8, and so has what shows the log of a CI job
  return locale ? /utf-?8/i.test(locale) : platform === 'darwin' || Boolean(env.CI);
}
