import { workingFolder } from '../../ground/system-errors.js';
import { intervalText, loadText } from '../../report/capacity/rows.js';
import { stepLine } from '../../report/capacity/text.js';
import { DISPLAYS } from '../../report/live/index.js';
import { safeLines } from '../../text/safe.js';
import { FlowOutput, hasColors, hasUnicode, printMessage, write, writeSafe } from '../output.js';
import { describeRun } from '../result/describe-run.js';

/** @import { Progress } from '../../capacity/course.js' */
/** @import { StepLoad } from '../../capacity/load.js' */
/** @import { CapacityStep } from '../../contracts/capacity.js' */
/** @import { Tick } from '../../contracts/run.js' */
/** @import { Stats } from '../../contracts/stats.js' */
/** @import { Display, LiveDisplay, RunInfo } from '../../report/types.js' */
/** @import { CapacityRequest, Io, RunStart } from '../types.js' */

/** Shows a search on stderr: a line for each step that has ended, and the progress of the one that runs. */
export class CapacityView {
  #request;
  #io;
  /** @type {Awaited<ReturnType<Display['load']>> | null} */
  #display = null;
  /** @type {LiveDisplay | null} */
  #live = null;
  #title = '';
  /** of the last step that was planned @type {RunInfo | null} */
  info = null;

  /** @param {CapacityRequest} request @param {Io} io */
  constructor(request, io) {
    this.#request = request;
    this.#io = io;
    this.log = new FlowOutput(io.stderr, () => this.#live && ((text) => this.#live?.print(text)));
  }

  /** Loads the display before the first step. */
  async load() {
    const { stderr, env } = this.#io;
    // lines every ten seconds would say less than the steps
    const isShown = stderr.isTTY && !this.#request.quiet;
    const display = isShown ? DISPLAYS.find(({ suits }) => suits({ stderr, env, isForPrograms: true })) : undefined;
    this.#display = (await display?.load()) ?? null;
  }

  /** @type {(load: StepLoad, progress: Progress) => void} */
  begin({ rate, limit }, { steps, answer: { load, low, high } }) {
    const { by } = this.#request;
    const known = load === null ? '' : ` (${intervalText({ low, high }, by)})`;
    this.#title = `step ${steps.length + 1}: ${loadText(rate ?? limit, by)}${known}`;
  }

  /** @type {(start: RunStart & { notices: string[] }) => void} */
  onBegin({ notices, ...start }) {
    const { quiet } = this.#request;
    const { stderr, env } = this.#io;
    const { plan } = start;
    const isFirst = this.info === null;
    this.info = describeRun(start, workingFolder(this.#io));
    if (isFirst && !quiet) for (const notice of notices) void printMessage(stderr, notice);
    if (plan.shortage) void printMessage(stderr, `${plan.shortage}; further connections will fail (EMFILE)`);
    this.#live =
      this.#display?.start({
        stderr,
        color: hasColors(stderr, env, this.#request.color),
        unicode: hasUnicode(env),
        totalMs: plan.limits.endMs,
        title: this.#title,
      }) ?? null;
  }

  // The listener of a run needs these; a step prints neither samples nor exchanges.
  onProgress() {}

  onExchange() {}

  /** @type {(stats: Stats) => void} */
  onState(stats) {
    this.#live?.state(stats);
  }

  /** @type {(tick: Tick) => void} */
  onTick(tick) {
    this.#live?.tick(tick);
  }

  end() {
    this.#live?.stop();
    this.#live = null;
    void this.log.flush();
  }

  /** Prints a step that was judged, and what is known now. @type {(step: CapacityStep, progress: Progress) => void} */
  onStep(step, { steps, answer }) {
    if (this.#request.quiet) return;
    const { stderr, env } = this.#io;
    const { by } = this.#request;
    const shown = { color: hasColors(stderr, env, this.#request.color), unicode: hasUnicode(env) };
    const { load, low, high } = answer;
    const known = load === null ? '' : `; so far ${loadText(load, by)}, ${intervalText({ low, high }, by)}`;
    void write(stderr, `${stepLine(step, { number: steps.length, by }, shown)}${known}\n`);
  }

  /** Prints a line, above a display if there is one. @type {(text: string) => void} */
  notice(text) {
    if (this.#live) this.#live.print(safeLines(text));
    else void writeSafe(this.#io.stderr, `${text}\n`);
  }
}
