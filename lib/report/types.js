/**
 * @import { Stats } from '../measure/types.js'
 *
 * @typedef {object} RunInfo what was run, where and when
 * @property {string} id of its own, so that nobody counts it twice
 * @property {string} tool `bench-rest 2.0.0`
 * @property {string} startedAt ISO 8601
 * @property {{ from: string, hash: string }} flow where it was read, and SHA-256 of what it says
 * @property {string} shape the load in words
 * @property {string[]} origins
 * @property {Record<string, unknown>} options that were given, without secrets
 * @property {{ node: string, platform: string, arch: string, cpus: string, memory: number }} machine `memory`: bytes
 * @property {string} why it ended
 *
 * @typedef {Stats & { schema?: 1, run?: RunInfo, exit?: { code: number, reasons: string[] } }} Result
 *
 * @typedef {{ ms: number, upTo: number }[]} Spectrum values, rising, and how many lie at or below each
 *
 * @typedef {object} Look
 * @property {boolean} [colour]
 * @property {number} [width] characters of a line
 * @property {boolean} [spectrum] the whole percentile spectrum is wanted
 * @property {boolean} [quiet] nothing but what went wrong
 * @property {(which: 'main' | 'serviceTime') => Spectrum} [spectrumOf] the counts behind a histogram
 *
 * @typedef {object} Reporter
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {string} extension of its files
 * @property {(result: Result, look?: Look) => string | Promise<string>} render
 */
export {};
