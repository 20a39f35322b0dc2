/** @import { Display } from '../types.js' */

/** Interval between the ticks of a display. */
export const TICK_MS = 200;
/** Interval between the results that a display gets. */
export const STATE_MS = 500;

/** The displays of a run in progress. The first one that suits the terminal is loaded and used. @type {Display[]} */
export const DISPLAYS = [
  {
    name: 'screen',
    about: 'the whole screen, for terminals of at least 100 x 30 and runs of 5 s or longer; --no-tui: none',
    suits: ({ stderr, env, isForPrograms, screen = 'never' }) =>
      screen !== 'never' &&
      Boolean(stderr.isTTY) &&
      env.TERM !== 'dumb' &&
      !isForPrograms &&
      (screen === 'always' || !env.CI),
    needsIntervals: true,
    load: () => import('./screen/index.js'),
  },
  {
    name: 'bar',
    about: 'a progress bar, for terminals',
    suits: ({ stderr, env }) => Boolean(stderr.isTTY) && env.TERM !== 'dumb',
    load: () => import('./bar.js'),
  },
  {
    name: 'lines',
    about: 'a line every ten seconds, for logs',
    suits: ({ isForPrograms }) => !isForPrograms,
    load: () => import('./lines.js'),
  },
];
