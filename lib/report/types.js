/**
 * @import { Reason } from '../exit-codes.js'
 * @import { Stats } from '../measure/types.js'
 *
 * @typedef {object} RunInfo what ran, where and when
 * @property {string} id unique, so that merging cannot count a run twice
 * @property {string} tool `bench-rest 2.0.0`
 * @property {string} startedAt ISO 8601
 * @property {{ from: string, hash: string }} flow its source, and the SHA-256 of its text
 * @property {string} shape the load profile in words
 * @property {string[]} origins
 * @property {string[]} [proxies] that requests go by; earlier versions have none
 * @property {Record<string, unknown>} options given ones, without secrets
 * @property {{ node: string, platform: string, arch: string, cpus: string, memory: number }} machine `memory`: bytes
 * @property {string} why it ended
 *
 * @typedef {Stats & { schema?: 1, run?: RunInfo, exit?: { code: number, reasons: Reason[] } }} Result
 *
 * @typedef {{ ms: number, upTo: number }[]} PercentileDistribution rising values, and how many lie at or below each
 *
 * @typedef {object} RenderOptions
 * @property {boolean} [colour]
 * @property {number} [width] columns of a line
 * @property {boolean} [fullDistribution] print the full percentile distribution
 * @property {boolean} [quiet] print only errors and failed thresholds
 * @property {(which: 'main' | 'serviceTime') => PercentileDistribution} [distributionOf] the counts of a histogram
 *
 * @typedef {(result: Result, options?: RenderOptions) => string} Render
 *
 * @typedef {object} Reporter
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string} extension of its files
 * @property {boolean} [isJson] the result is written as JSON, which keeps its texts
 * @property {() => Promise<{ render: Render }>} load
 *
 * @typedef {{ stats: Stats, percent: number, concurrent: number, ips: number }} Progress
 *
 * @typedef {object} Display shows the progress of a run on stderr
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {(io: { stderr: NodeJS.WriteStream, env: Record<string, string | undefined>, isForPrograms: boolean }) => boolean} suits
 *   `isForPrograms`: stdout gets a format that programs read
 * @property {() => Promise<{ start: StartDisplay }>} load
 *
 * @typedef {(run: { on: (event: 'progress', listener: (progress: Progress) => void) => unknown }, io: { stderr: NodeJS.WriteStream }, now?: () => number) => () => void} StartDisplay
 *   returns a function that stops the display
 */
export {};
