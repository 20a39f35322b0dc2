/**
 * @import { FlowInput } from '../flow/source/load.js'
 * @import { Stats } from '../measure/types.js'
 * @import { Layer } from '../run/options/layers.js'
 * @import { ReportedPlan } from './protocol.js'
 * @import { Timing } from './timing.js'
 *
 * @typedef {object} CoordinatorRequest
 * @property {FlowInput} source
 * @property {string} cwd
 * @property {Layer} config run options of the configuration file
 * @property {Layer[]} commandLine run options of flags, weakest first
 * @property {AgentOptions} own
 * @property {NodeJS.ProcessEnv} env
 * @property {Timing} [timing]
 *
 * @typedef {object} AgentOptions
 * @property {number} agents
 * @property {string} queue URL
 * @property {string} [pool]
 * @property {number} [agentsTimeout] ms
 * @property {number} [tolerateLost]
 * @property {boolean} [replaceLost] gives the load of agents that are lost to the others
 * @property {string[]} [include] paths of more files that the flow reads
 *
 * @typedef {object} CoordinatorListener
 * @property {(text: string) => void} notice prints a line
 * @property {(begun: ReportedPlan) => void} onBegin
 * @property {(progress: { stats: Stats, percent: number, concurrent: number, ips: number }) => void} onProgress
 * @property {(tick: any) => void} onTick
 * @property {(stats: Stats) => void} onState
 *
 * @typedef {{ kind: 'ended', stats: Stats, why: string }
 *   | { kind: 'refused', error: { code?: string, message: string, stack?: string } }
 *   | { kind: 'aborted', stats: Stats | null }
 *   | { kind: 'lost', stats: Stats | null, message: string, isFault: boolean }} Outcome of a run on agents, as of an engine
 */

export {};
