/**
 * @import { Tick } from '../contracts/run.js'
 * @import { Stats } from '../contracts/stats.js'
 *
 * @typedef {object} RunLoad as its run options give it
 * @property {string} name
 * @property {number} [rate] iterations per second
 * @property {string} [arrival]
 * @property {number} virtualUsers
 * @property {number} [duration] ms
 * @property {number} [iterations]
 * @property {string} text the load profile in words
 *
 * @typedef {object} RunInfo what ran, where and when
 * @property {string} [id] the run option `runId`: the name that its shards have in common
 * @property {{ source: string, sha256: string }} flow where it comes from, and the hash of its text
 * @property {RunLoad[]} loads
 * @property {string[]} origins
 * @property {string[]} [proxies] that requests go by; earlier versions have none
 * @property {Record<string, unknown>} options given ones, without secrets
 * @property {{ merged: number, of: number }} [shards] of a merged result: how many of how many
 * @property {string} endReason why it ended: `completed`, or what stopped it
 *
 * @typedef {Stats & { run?: RunInfo }} Result
 *
 * @typedef {{ ms: number, upTo: number }[]} PercentileDistribution rising values, and how many lie at or below each
 *
 * @typedef {object} RenderOptions
 * @property {boolean} [color]
 * @property {number} [width] columns of a line
 * @property {boolean} [unicode] false: ASCII, for a locale that is not UTF-8
 * @property {boolean} [full] print everything: connections, bytes, load generator, servers, distributions
 * @property {boolean} [fullDistribution] print the full percentile distribution
 * @property {boolean} [quiet] print only errors and failed thresholds
 * @property {string[]} [files] that the result was written to
 * @property {(which: 'completed' | 'serviceTime') => PercentileDistribution} [distributionOf] the counts of a histogram
 *
 * @typedef {(result: Result, options?: RenderOptions) => string} Render
 *
 * @typedef {object} Reporter
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string} extension of its files
 * @property {boolean} [isJson] the result is written as JSON, which keeps its texts
 * @property {boolean} [needsCounts] the histograms of the result are drawn
 * @property {() => Promise<{ render: Render }>} load
 *
 * @typedef {object} Display shows the progress of a run on stderr
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {(io: { stderr: NodeJS.WriteStream, env: Record<string, string | undefined>, isForPrograms: boolean }) =>
 *   boolean} suits `isForPrograms`: stdout gets a format that programs read
 * @property {() => Promise<{ start: StartDisplay }>} load
 *
 * @typedef {object} LiveDisplay
 * @property {(tick: Tick) => void} tick
 * @property {(stats: Stats) => void} state the results so far; the first error of each group is printed
 * @property {(text: string) => void} print prints lines that stay
 * @property {() => void} stop clears the display
 *
 * @typedef {object} DisplayContext
 * @property {NodeJS.WriteStream} stderr
 * @property {boolean} color
 * @property {boolean} unicode
 * @property {number} totalMs duration of the run; Infinity if something else ends it
 * @property {number} [everyMs] time between lines that was asked for
 * @property {boolean} [isGuest] a signal ends the process before the terminal is restored, so the display changes no
 *   mode of it
 *
 * @typedef {(context: DisplayContext) => LiveDisplay} StartDisplay
 */
export {};
