import { PACKAGE_VERSION } from '../../core/ground/package.js';
import { messageOf } from '../../core/text/error-text.js';
import { maskText } from '../../core/text/mask.js';
import { clock } from '../../core/run/clock.js';
import { settlesWithin } from '../../core/run/closing.js';
import { readMetrics } from './metrics.js';
import { exportersOf } from './options.js';

/** @import { ExportSummary, Stats } from '../../core/contracts/stats.js' */
/** @import { Participant, ParticipantContext } from '../../core/run/types.js' */
/** @import { ExporterOption } from './options.js' */
/** @import { Figures, Metric } from './metrics.js' */

/**
 * @typedef {object} Collected the metrics of a run so far
 * @property {Record<string, string>} resource attributes that identify the run
 * @property {Date} startedAt
 * @property {Metric[]} metrics
 *
 * @typedef {object} Exporter
 * @property {string} to where it exports to, or listens
 * @property {(collected: Collected) => Promise<void>} [push] sends the metrics; absent: it serves them on request
 * @property {() => unknown} close
 *
 * @typedef {{ open: (value: any, context: { collect: () => Collected | null }) => Promise<Exporter> }} ExporterModule
 *   open: `value` is that of its option
 *
 * @typedef {object} ExportContext
 * @property {Record<string, any>} options of the run
 * @property {() => Collected | null} collect null: the run has not begun
 * @property {() => boolean} isAborted
 */

const EVERY_MS = 5000;
/** Time limits of the exports at the end of a run, and at the end of an aborted run. */
const LAST_MS = 2000;
const LAST_OF_ABORTED_MS = 200;
/** Characters of the reason why an export failed. */
const LONGEST_REASON = 200;

/** @type {(context: ParticipantContext) => Participant} */
export function open({ options, counted, isAborted }) {
  const collect = () => {
    const known = counted();
    return known && collectedOf(known, known);
  };
  return { around: (perform) => exporting(exportersOf(options), { options, collect, isAborted }, perform) };
}

/**
 * Exports the metrics of a run while it works: every 5 s, and once more at its end. `rows` are the options of the
 * exporters. An export that fails is counted; it never ends the run.
 * @template {{ stats: Stats | null }} R
 * @param {Pick<ExporterOption, 'name' | 'exporter'>[]} rows
 * @param {ExportContext} context
 * @param {() => Promise<R>} work
 * @returns {Promise<R>} with the summary of the exports
 */
export async function exporting(rows, context, work) {
  /** @type {Pushes[]} */
  const all = [];
  // The end of a run does not wait for them.
  const closeAll = () => all.map(({ exporter }) => close(exporter));
  try {
    for (const { name, exporter: load } of rows) {
      const { open } = await load();
      all.push(new Pushes(name, await open(context.options[name], context)));
    }
  } catch (error) {
    closeAll();
    throw error;
  }
  const stopTimer = clock.every(() => pushAll(all, context.collect()), EVERY_MS);
  try {
    const result = await work();
    stopTimer();
    const limitMs = context.isAborted() ? LAST_OF_ABORTED_MS : LAST_MS;
    await settlesWithin(pushAll(all, context.collect()), limitMs);
    const stats = /** @type {Stats | null} */ (result.stats);
    if (stats) stats.exports = all.map((one) => one.summary());
    return result;
  } finally {
    stopTimer();
    closeAll();
  }
}

/**
 * Returns the metrics of a run so far, with what identifies it.
 * @type {(figures: Figures, run: { id: string, startedAt: Date, options: Record<string, any> }) => Collected}
 */
export function collectedOf(figures, { id, startedAt, options: { title, label, shard } }) {
  return {
    resource: {
      'service.name': 'bench-rest',
      'service.version': PACKAGE_VERSION,
      'service.instance.id': id,
      ...(title !== undefined && { 'benchrest.title': title }),
      ...(label !== undefined && { 'benchrest.label': label }),
      ...(shard && { 'benchrest.shard': `${shard.number}/${shard.of}` }),
    },
    startedAt,
    metrics: readMetrics(figures),
  };
}

/** @type {(all: Pushes[], collected: Collected | null) => Promise<unknown>} */
function pushAll(all, collected) {
  return Promise.all(all.map((one) => collected && one.push(collected)));
}

/** @type {(exporter: Exporter) => Promise<void>} */
async function close(exporter) {
  try {
    await exporter.close();
  } catch {
    // Failed exports are counted already.
  }
}

/** Runs the exports of one exporter, one after the other, and counts them. */
class Pushes {
  #name;
  #count = 0;
  #failed = 0;
  #reason = '';
  /** The export in flight. @type {Promise<void> | null} */
  #current = null;

  /** @param {string} name of its option @param {Exporter} exporter */
  constructor(name, exporter) {
    this.#name = name;
    this.exporter = exporter;
  }

  /** @type {(collected: Collected) => Promise<void>} */
  async push(collected) {
    if (this.exporter.push === undefined) return;
    while (this.#current !== null) await this.#current;
    this.#count++;
    // Counts as failed until it succeeds: the time limit may cut it off.
    this.#failed++;
    const reason = this.#reason;
    this.#reason = 'no answer in time';
    this.#current = this.exporter.push(collected).then(
      () => {
        this.#failed--;
        this.#reason = reason;
      },
      (error) => {
        this.#reason = maskText(messageOf(error)).slice(0, LONGEST_REASON);
      },
    );
    await this.#current;
    this.#current = null;
  }

  /** @type {() => ExportSummary} */
  summary() {
    const isPushed = this.exporter.push !== undefined;
    return {
      exporter: this.#name,
      to: maskText(this.exporter.to),
      ...(isPushed && { exports: this.#count, failed: this.#failed }),
      ...(this.#failed > 0 && { error: this.#reason }),
    };
  }
}
