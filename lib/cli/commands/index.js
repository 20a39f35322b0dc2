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

/**
 * @import { Reason } from '../../ground/exit-codes.js'
 * @import { Shutdown } from '../exit-process.js'
 * @import { Io } from '../main.js'
 * @import { Command } from 'commander'
 */

/** The commands, in the order of the help. @type {CommandEntry[]} */
export const COMMANDS = [run, init, serve, report, merge, compare, ab, agent, k8s, list, completion, help];

/**
 * @typedef {object} CommandEntry
 * @property {string} name
 * @property {string} about imperative, lower case, without a full stop
 * @property {boolean} [takesWords] what follows `--` is no argument of its own, but the command that starts the server
 * @property {(command: Command, context: CommandContext) => void} declare adds arguments, flags and an action; the
 *   action submits the request, or throws E_USAGE
 * @property {(request: any, io: Io, shutdown: Shutdown) => Promise<Iterable<Reason>>} run returns the reasons for an
 *   exit code other than 0. It loads what only this command needs
 *
 * @typedef {object} CommandContext
 * @property {NodeJS.ProcessEnv} env
 * @property {() => string[]} words those after `--`, for a command with `takesWords`
 * @property {<R extends CommandRequest>(request: R) => void} submit
 *
 * @typedef {{ command: string, warnings?: string[] }} CommandRequest `command`: name of the entry; `warnings` are
 *   printed before it runs
 */
