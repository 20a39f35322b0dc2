import ab from './ab.js';
import compare from './compare.js';
import help from './help.js';
import list from './list.js';
import merge from './merge.js';
import report from './report.js';
import run from './run.js';
import serve from './serve.js';

/** @import { CommandEntry } from './types.js' */

/** The commands, in the order of the help. @type {CommandEntry[]} */
export const COMMANDS = [run, serve, report, merge, compare, ab, list, help];
