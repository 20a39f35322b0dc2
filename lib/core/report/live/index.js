import { writeMs } from '../../ground/units.js';

/** @import { Display } from '../types.js' */

/** Interval between the ticks of a display. */
export const TICK_MS = 200;
/** Interval between the results that a display gets. */
export const STATE_MS = 500;

/** The smallest terminal that has the screen, and the shortest run: a shorter one ends before anybody reads it. */
export const SCREEN = { columns: 100, rows: 30, ms: 5000 };

/** The displays of a run in progress. The first one that suits the terminal is loaded and used. @type {Display[]} */
export const DISPLAYS = [
  {
    name: 'screen',
    about: `the whole screen, for terminals of at least ${SCREEN.columns} x ${SCREEN.rows} and runs of ${writeMs(SCREEN.ms)} or longer; --no-tui: none`,
    suits: ({ stderr, env, isForPrograms, screen = 'never' }) =>
      screen !== 'never' &&
      Boolean(stderr.isTTY) &&
      env.TERM !== 'dumb' &&
      !isForPrograms &&
      (screen === 'always' || !env.CI),
    needsIntervals: true,
    load: () => import('../../../addons/screen/index.js'),
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
