import { EventEmitter } from 'node:events';

import { line } from '../../report/formats/ndjson.js';
import { DISPLAYS } from '../../report/live/index.js';
import { exchangeText } from '../../report/text/exchange.js';
import { planText } from '../../report/text/plan.js';
import { printMessage, writeSafe } from '../output.js';
import { SCHEMA, describeRun, distributionsOf } from '../result/describe-run.js';
import { printResult } from '../result/print-result.js';
import { tooFewFiles } from './open-files.js';
import { Sampler } from './sampler.js';

/**
 * @import { Stats } from '../../measure/types.js'
 * @import { Exchange } from '../../report/text/exchange.js'
 * @import { Progress, Result, RunInfo } from '../../report/types.js'
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
  #hasDisplay = false;
  #stopDisplay = () => {};
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

  /** Receives the output of the flow. */
  get log() {
    return this.#io.stderr;
  }

  /** Prints the plan and starts the display. @type {(start: RunStart) => void} */
  onBegin(start) {
    const { format, version, quiet, debug } = this.#request;
    const { stderr, env } = this.#io;
    this.#info = describeRun(start, { version, startedAt: new Date() });
    const isForPrograms = format !== 'text' && format !== 'object';
    if (!quiet && (stderr.isTTY || !isForPrograms)) this.#write(planText(start.plan, { from: start.from, version }));
    const shortage = tooFewFiles(start.options.limit ?? 0);
    if (shortage) void printMessage(stderr, shortage);
    if (debug || quiet || start.options.progress === 0) return;
    const display = DISPLAYS.find(({ suits }) => suits({ stderr, env, isForPrograms }));
    if (!display) return;
    this.#stopDisplay = display.start(this.#progress, this.#io);
    this.#hasDisplay = true;
  }

  /** @type {(progress: Progress) => void} */
  onProgress(progress) {
    const { stats } = progress;
    this.#progress.emit('progress', progress);
    this.#sample(this.#sampler.finished(stats));
    this.#dashboard?.update({ ...stats, ...(this.#info && { run: this.#info }), isLive: true }, () => []);
  }

  /** @type {(exchange: Exchange) => void} */
  onExchange(exchange) {
    void writeSafe(this.#io.stderr, exchangeText(exchange));
  }

  /** Prints a line, below a progress bar if there is one. @type {(text: string) => void} */
  notice(text) {
    this.#write(this.#hasDisplay ? `\n${text}` : text);
  }

  stop() {
    this.#stopDisplay();
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
    this.#dashboard?.update(result, distributionsOf(stats));
    return printed;
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
