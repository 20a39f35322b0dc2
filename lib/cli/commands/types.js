/**
 * @import { Command } from 'commander'
 * @import { Reason } from '../../exit-codes.js'
 * @import { Shutdown } from '../exit-process.js'
 * @import { Io } from '../main.js'
 *
 * @typedef {object} CommandEntry
 * @property {string} name
 * @property {string} about imperative, lower case, without a full stop
 * @property {boolean} [takesWords] what follows `--` is no argument of its own, but the command that starts the server
 * @property {(command: Command, context: CommandContext) => void} declare adds arguments, flags and an action; the action
 *   submits the request, or throws E_USAGE
 * @property {(request: any, io: Io, shutdown: Shutdown) => Promise<Iterable<Reason>>} run returns the reasons for an exit
 *   code other than 0. It loads what only this command needs
 *
 * @typedef {object} CommandContext
 * @property {NodeJS.ProcessEnv} env
 * @property {() => string[]} words those after `--`, for a command with `takesWords`
 * @property {<R extends CommandRequest>(request: R) => void} submit
 *
 * @typedef {{ command: string, warnings?: string[] }} CommandRequest `command`: name of the entry; `warnings` are printed
 *   before it runs
 */
export {};
