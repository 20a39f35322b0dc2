/**
 * @import { ComparedStats } from '../../measure/compare.js'
 * @import { Silhouettes } from '../silhouettes.js'
 *
 * @typedef {object} Side
 * @property {'A' | 'B'} name
 * @property {string} label what was compared: a file, a flow, a title
 * @property {string} subtitle the load and the target
 * @property {string[]} about date, version and machine
 * @property {('sound' | 'doubtful' | 'void')[]} measurement of its runs, each word once
 * @property {string[]} reasons against its measurement
 *
 * @typedef {object} Difference between the sides, other than their figures
 * @property {string} name
 * @property {string} base empty if this side does not have it
 * @property {string} other
 *
 * @typedef {object} ComparisonAbout what a comparison has beside its figures
 * @property {string} sentence what the comparison amounts to
 * @property {[base: Side, other: Side]} sides
 * @property {Difference[]} differences
 * @property {Silhouettes | null} distribution of the response times of both sides; null without histograms
 * @property {string[]} regressions limits that were exceeded, each with what was measured
 *
 * @typedef {ComparisonAbout & ComparedStats} Comparison
 *
 * @typedef {object} ComparisonFormat
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string} extension of its files
 * @property {boolean} [isJson] it is written as JSON, which keeps its texts
 * @property {() => Promise<{ render: RenderComparison }>} load
 *
 * @typedef {(comparison: Comparison, options?: { color?: boolean, width?: number }) => string} RenderComparison
 */
export {};
