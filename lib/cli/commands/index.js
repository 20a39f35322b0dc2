import ab from './ab.js';
import agent from './agent.js';
import compare from './compare.js';
import completion from './completion.js';
import help from './help.js';
import init from './init.js';
import k8s from './k8s.js';
import list from './list.js';
import merge from './merge.js';
import report from './report.js';
import run from './run.js';
import serve from './serve.js';

/** @import { CommandEntry } from './types.js' */

/** The commands, in the order of the help. @type {CommandEntry[]} */
export const COMMANDS = [run, init, serve, report, merge, compare, ab, agent, k8s, list, completion, help];
