import { EventEmitter } from 'node:events';

import { line } from '../../report/formats/ndjson.js';
import { REPORTERS } from '../../report/formats/index.js';
import { DISPLAYS } from '../../report/live/index.js';
import { exchangeText } from '../../report/text/exchange.js';
import { planText } from '../../report/text/plan.js';
import { printMessage, writeSafe } from '../output.js';
import { SCHEMA, describeRun, distributionsOf } from '../result/describe-run.js';
import { printResult, withExit } from '../result/print-result.js';
import { tooFewFiles } from './open-files.js';
import { Sampler } from './sampler.js';

/**
 * @import { Stats } from '../../measure/types.js'
 * @import { Exchange } from '../../report/text/exchange.js'
 * @import { Display, Progress, Reporter, Result, RunInfo } from '../../report/types.js'
 * @import { RunRequest } from '../commands/run.js'
 * @import { Reason } from '../../exit-codes.js'
 * @import { Io } from '../main.js'
 * @import { RunStart } from '../result/describe-run.js'
 * @import { openOutputs } from '../result/output-files.js'
 * @import { startDashboard } from './dashboard.js'
 *
 * @typedef {RunRequest & { format: string, version: string }} ViewRequest
 * @typedef {object} ViewContext
 * @property {Io} io
 * @property {ReturnType<typeof openOutputs>} outputs
 * @property {Awaited<ReturnType<typeof startDashboard>> | null} dashboard
 */

/** Prints a run: its plan, its progress, its samples and its result. */
export class RunView {
  #request;
  #io;
  #outputs;
  #dashboard;
  #sampler = new Sampler();
  #progress = new EventEmitter();
  /** loaded while the run starts @type {Awaited<ReturnType<Display['load']>> | null} */
  #display = null;
  /** ends the display; null while there is none @type {(() => void) | null} */
  #stopDisplay = null;
  /** the run has begun and emits progress */
  #hasProgress = false;
  /** of the run, at the last progress event */
  #percent = 0;
  /** null until the flow is read @type {RunInfo | null} */
  #info = null;

  /**
   * @param {ViewRequest} request
   * @param {ViewContext} context
   */
  constructor(request, { io, outputs, dashboard }) {
    this.#request = request;
    this.#io = io;
    this.#outputs = outputs;
    this.#dashboard = dashboard;
  }

  /**
   * Loads the display and the formats of the result, while the thread of the run starts. Later they could be missing:
   * the run may take all files that a process can open, or last until the package is updated.
   */
  async load() {
    const format = /** @type {Reporter} */ (REPORTERS.find(({ name }) => name === this.#request.format));
    const [display] = await Promise.all([this.#suitableDisplay()?.load(), format.load(), this.#outputs.load()]);
    this.#display = display ?? null;
    this.#startDisplay();
  }

  /** Receives the output of the flow. */
  get log() {
    return this.#io.stderr;
  }

  /** Prints the plan and starts the display. @type {(start: RunStart & { notices: string[], hints: string[] }) => void} */
  onBegin({ notices, hints, ...start }) {
    const { version, quiet } = this.#request;
    const { stderr } = this.#io;
    this.#info = describeRun(start, { version, startedAt: new Date() });
    if (!quiet && (stderr.isTTY || !this.#isForPrograms))
      this.#write(planText(start.plan, { from: start.from, version }));
    const messages = stderr.isTTY ? [...notices, ...hints] : notices;
    for (const message of quiet ? [] : messages) void printMessage(stderr, message);
    const shortage = tooFewFiles(start.plan.options.limit ?? 0);
    if (shortage) void printMessage(stderr, shortage);
    this.#hasProgress = start.plan.options.progress !== 0;
    this.#startDisplay();
  }

  /** @type {(progress: Progress) => void} */
  onProgress(progress) {
    const { stats, percent } = progress;
    this.#progress.emit('progress', progress);
    this.#sample(this.#sampler.finished(stats));
    this.#updateDashboard(stats, percent);
  }

  /** @type {(stats: Stats) => void} */
  onState(stats) {
    // between two progress events, and if there are none
    this.#updateDashboard(stats);
  }

  /** @type {(exchange: Exchange) => void} */
  onExchange(exchange) {
    void writeSafe(this.#io.stderr, exchangeText(exchange));
  }

  /** Prints a line, below a progress bar if there is one. @type {(text: string) => void} */
  notice(text) {
    this.#write(this.#stopDisplay ? `\n${text}` : text);
  }

  stop() {
    this.#display = null;
    this.#stopDisplay?.();
  }

  /**
   * Prints the result and writes its files.
   *
   * @param {Stats} stats
   * @param {{ why: string, reasons: Set<Reason> }} ending
   * @returns {Promise<Set<Reason>>} the reasons, and `notWritten` if it applies
   */
  async printResult(stats, { why, reasons }) {
    /** @type {Result} */
    const result = { schema: SCHEMA, ...(this.#info && { run: { ...this.#info, why } }), ...stats };
    this.#sample(this.#sampler.all(stats));
    const printed = await printResult(result, { options: this.#request, reasons, outputs: this.#outputs }, this.#io);
    this.#dashboard?.update(withExit(result, printed), distributionsOf(stats));
    return printed;
  }

  /** @type {(stats: Stats, percent?: number) => void} */
  #updateDashboard(stats, percent) {
    this.#percent = percent ?? this.#percent;
    const run = this.#info && { run: this.#info };
    this.#dashboard?.update({ ...stats, ...run, isLive: true, percent: this.#percent }, () => []);
  }

  /** The output on stdout is read by programs. */
  get #isForPrograms() {
    const { format } = this.#request;
    return format !== 'text' && format !== 'object';
  }

  #suitableDisplay() {
    const { quiet, debug } = this.#request;
    const { stderr, env } = this.#io;
    if (quiet || debug) return undefined;
    return DISPLAYS.find(({ suits }) => suits({ stderr, env, isForPrograms: this.#isForPrograms }));
  }

  /** Starts the display once it is loaded and the run has begun. */
  #startDisplay() {
    if (this.#display && this.#hasProgress) this.#stopDisplay = this.#display.start(this.#progress, this.#io);
  }

  /** @type {(points: object[]) => void} */
  #sample(points) {
    this.#outputs.sample(points);
    if (this.#request.format !== 'ndjson') return;
    for (const point of points) this.#io.stdout.write(line('sample', point));
  }

  /** @type {(text: string) => void} */
  #write(text) {
    void writeSafe(this.#io.stderr, `${text}\n`);
  }
}
