import bar from './bar.js';
import lines from './lines.js';

/** @import { Display } from '../types.js' */

/** The displays of a run in progress. The first one that suits the terminal is used. @type {Display[]} */
export const DISPLAYS = [bar, lines];
