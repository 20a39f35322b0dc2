import { workingFolder } from '../../core/ground/system-errors.js';
import { intervalText, loadText } from './report/rows.js';
import { stepLine } from './report/blocks.js';
import { DISPLAYS } from '../../core/report/live/index.js';
import { LiveOutput } from '../../core/cli/live-output.js';
import { hasColors, hasUnicode, printMessage, write } from '../../core/cli/output.js';
import { describeRun } from '../../core/cli/result/describe-run.js';

/** @import { Progress } from './course.js' */
/** @import { StepLoad } from './load.js' */
/** @import { CapacityStep } from './capacity.js' */
/** @import { Tick } from '../../core/contracts/run.js' */
/** @import { Stats } from '../../core/contracts/stats.js' */
/** @import { Display, RunInfo } from '../../core/report/types.js' */
/** @import { Io, RunStart } from '../../core/cli/types.js' */
/** @import { CapacityRequest } from './requests.js' */

/** Shows a search on stderr: a line for each step that has ended, and the progress of the one that runs. */
export class CapacityView {
  #request;
  #io;
  #live;
  /** @type {Awaited<ReturnType<Display['load']>> | null} */
  #display = null;
  #title = '';
  #isShortOfFiles = false;
  /** Of the last step that was planned; the document has it. @type {RunInfo | null} */
  info = null;

  /** @param {CapacityRequest} request @param {Io} io */
  constructor(request, io) {
    this.#request = request;
    this.#io = io;
    this.#live = new LiveOutput(io.stderr);
    this.log = this.#live.log;
  }

  async load() {
    const { stderr, env } = this.#io;
    // `isForPrograms` leaves the bar alone: no whole screen, and no lines every ten seconds, which say less than steps
    const isShown = stderr.isTTY && !this.#request.quiet;
    const display = isShown ? DISPLAYS.find(({ suits }) => suits({ stderr, env, isForPrograms: true })) : undefined;
    this.#display = (await display?.load()) ?? null;
  }

  /** Names the next step; limit: virtual users. @type {(load: StepLoad, progress: Progress) => void} */
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
    if (plan.shortage && !this.#isShortOfFiles) {
      this.#isShortOfFiles = true;
      void printMessage(stderr, `${plan.shortage}; further connections will fail (EMFILE)`);
    }
    const { endMs: totalMs } = plan.limits;
    const color = hasColors(stderr, env, this.#request.color);
    const shown = { stderr, color, unicode: hasUnicode(env), totalMs, title: this.#title };
    const display = this.#display;
    if (display) this.#live.show(() => display.start(shown));
  }

  // `createEngine` takes a view with these two; a step shows neither.
  onProgress() {}

  onExchange() {}

  /** @type {(stats: Stats) => void} */
  onState(stats) {
    this.#live.draw((display) => display.state(stats));
  }

  /** @type {(tick: Tick) => void} */
  onTick(tick) {
    this.#live.draw((display) => display.tick(tick));
  }

  end() {
    this.#live.stop();
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
    this.#live.print(text);
  }
}
