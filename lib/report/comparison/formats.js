import { safeFormat } from '../../text/safe.js';

/** @import { ComparedStats } from '../../measure/compare.js' */
/** @import { Silhouettes } from '../chart-data.js' */

/**
 * The formats of a comparison. A file gets the one with its extension. Each is loaded when it is used.
 * @type {ComparisonFormat[]}
 */
export const COMPARISON_FORMATS = [
  {
    name: 'text',
    about: 'a report for people',
    extension: '.txt',
    load: () => import('./text.js'),
  },
  {
    name: 'json',
    about: 'all figures as one JSON document',
    extension: '.json',
    isJson: true,
    load: () => import('../formats/json.js'),
  },
  {
    name: 'markdown',
    about: 'a comment for a pull request',
    extension: '.md',
    load: () => import('./markdown.js'),
  },
  {
    name: 'html',
    about: 'a self-contained page: both distributions, and every change with its interval',
    extension: '.html',
    isJson: true,
    load: () => import('../html/comparison.js'),
  },
].map(safeFormat);

/**
 * @typedef {object} Side
 * @property {'A' | 'B'} name
 * @property {string} label what was compared: a file, a flow, a title
 * @property {string} subtitle the load and the target
 * @property {string[]} about date, version and machine
 * @property {('valid' | 'suspect' | 'invalid')[]} validity of its runs, each word once
 * @property {string[]} reasons against its figures
 *
 * @typedef {object} Difference between the sides, other than their figures
 * @property {string} name
 * @property {string} base empty if this side does not have it
 * @property {string} other
 *
 * @typedef {object} ComparisonAbout what a comparison has beside its figures
 * @property {'comparison'} type
 * @property {number} schemaVersion
 * @property {string} sentence what the comparison amounts to
 * @property {string | null} outcome why the command fails: sides that failed, and exceeded limits; null if it passes
 * @property {{ side: number, text: string, isOnlyThreshold: boolean }[]} failed sides, and why
 * @property {string[]} objections why the sides may not be comparable, or their figures not those of the service
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
