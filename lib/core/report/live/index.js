import { offered } from '../../ground/addons.js';

/** @import { Display } from '../types.js' */

/** Interval between the ticks of a display. */
export const TICK_MS = 200;
/** Interval between the results that a display gets. */
export const STATE_MS = 500;

/** The displays of a run in progress. The first one that suits the terminal is loaded and used. @type {Display[]} */
export const DISPLAYS = [
  ...offered('displays'),
  {
    name: 'lines',
    about: 'a line every ten seconds, for logs',
    suits: ({ isForPrograms }) => !isForPrograms,
    load: () => import('./lines.js'),
  },
];
