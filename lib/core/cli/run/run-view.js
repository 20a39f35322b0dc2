import { randomUUID } from 'node:crypto';

import { workingFolder } from '../../ground/system-errors.js';
import { cutShort, stateSoFar } from '../../measure/incomplete.js';
import { reasonsOf } from '../../measure/outcome.js';
import { Intervals } from '../../measure/point-maker.js';
import { REPORTERS } from '../../report/formats/index.js';
import { pointLine } from '../../report/formats/json.js';
import { DISPLAYS } from '../../report/live/index.js';
import { headOf, targetText } from '../../report/rows.js';
import { forLocale } from '../../report/terminal.js';
import { exchangeText } from '../../text/exchange-lines.js';
import { wrapped } from '../../text/format-value.js';
import { safe } from '../../text/safe.js';
import { LiveOutput } from '../live-output.js';
import { hasColors, hasUnicode, printMessage, terminalColumns, writeSafe } from '../output.js';
import { describeRun } from '../result/describe-run.js';
import { printResult, renderingOfFiles, withOutcome } from '../result/outputs.js';

/** @import { IntervalCounts, PlanSummary, Tick } from '../../contracts/run.js' */
/** @import { Stats } from '../../contracts/stats.js' */
/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { Display, Reporter, Result, RunInfo } from '../../report/types.js' */
/** @import { TracedExchange } from '../../text/types.js' */
/** @import { Companion, RunRequest, Io, RunStart } from '../types.js' */
/** @import { Outputs } from '../result/outputs.js' */

/**
 * @typedef {RunRequest & { format: string, version: string }} ViewRequest
 * @typedef {object} ViewContext
 * @property {Io} io
 * @property {Outputs} outputs
 * @property {Companion[]} [companions] of the run
 */

/** Between two times that the files are written while the run goes on, ms. */
const SAVE_MS = 60_000;

/** Prints a run: its plan, its progress, its samples and its result. */
export class RunView {
  #request;
  #io;
  #outputs;
  #companions;
  #sampler = new Sampler();
  #live;
  /** The display, from when it is loaded until it is shown. @type {Awaited<ReturnType<Display['load']>> | null} */
  #display = null;
  /** The duration of the run, ms; null before it has begun, and if it shows no progress. @type {number | null} */
  #totalMs = null;
  /** The share of the run that was over at the last progress event. */
  #share = 0;
  /** The description of the run; null until the flow is read. @type {RunInfo | null} */
  #info = null;
  /** The id of the result, if the run has given it none. */
  #id = randomUUID();
  /** When the files are written next, ms since the first iteration. */
  #saveAt = SAVE_MS;

  /** @param {ViewRequest} request @param {ViewContext} context */
  constructor(request, { io, outputs, companions = [] }) {
    this.#request = request;
    this.#io = io;
    this.#outputs = outputs;
    this.#companions = companions;
    this.#live = new LiveOutput(io.stderr);
    this.log = this.#live.log;
    for (const { notice } of companions) if (notice) this.notice(notice);
  }

  /**
   * Loads the display and the formats of the result, while the thread of the run starts. Later they could be missing:
   * the run may take all files that a process can open, or last until the package is updated.
   */
  async load() {
    const format = /** @type {Reporter} */ (REPORTERS.find(({ name }) => name === this.#request.format));
    const [display] = await Promise.all([this.#suitableDisplay()?.load(), format.load(), this.#outputs.load()]);
    this.#display = display ?? null;
    this.#showDisplay();
  }

  /** @type {(start: RunStart & { notices: string[], hints: string[] }) => void} */
  onBegin({ notices, hints, ...start }) {
    const { version, quiet } = this.#request;
    const { stderr, env } = this.#io;
    this.#info = describeRun(start, workingFolder(this.#io));
    if (!quiet && (stderr.isTTY || !this.#isForPrograms)) {
      const text = planText(start.plan, { from: start.from, version, width: terminalColumns(stderr) });
      void writeSafe(stderr, `${forLocale(text, hasUnicode(env))}\n`);
    }
    for (const { onBegin } of this.#companions)
      for (const { message } of onBegin?.(this.#info) ?? []) void printMessage(stderr, message);
    for (const message of quiet ? [] : [...notices, ...hints]) void printMessage(stderr, message);
    const { shortage } = start.plan;
    if (shortage) void printMessage(stderr, `${shortage}; further connections will fail (EMFILE)`);
    if (start.plan.options.progress !== 0) this.#totalMs = start.plan.limits.endMs;
    this.#showDisplay();
  }

  /** @type {(progress: { stats: Stats }) => void} */
  onProgress({ stats }) {
    this.#sample(this.#sampler.finished(stats));
    this.#updateCompanions(stats);
  }

  /** @type {(stats: Stats, inFlight?: number, intervals?: IntervalCounts[]) => void} */
  onState(stats, inFlight = 0, intervals = []) {
    // Progress events come more seldom, or not at all.
    this.#updateCompanions(stats);
    this.#live.draw((display) => display.state(stats, intervals));
    if (stats.measuredElapsed >= this.#saveAt) this.#save(stats, inFlight);
  }

  /** Saves the result so far, which a killed process leaves behind. @type {(stats: Stats, inFlight: number) => void} */
  #save(stats, inFlight) {
    this.#saveAt = stats.measuredElapsed + SAVE_MS;
    // The last seconds of the run are for displays.
    const { recent: _, ...series } = stats.series;
    const part = cutShort({ ...stats, series }, { inFlight, missing: [stateSoFar(stats.measuredElapsed)] });
    const result = { ...part, id: this.#id, ...(this.#info && { run: this.#info }) };
    const saved = withOutcome(result, new Set(reasonsOf(result, {}, ['interrupted'])));
    void this.#outputs.save(saved, renderingOfFiles(saved, this.#request));
  }

  /** @type {(tick: Tick) => void} */
  onTick(tick) {
    this.#share = tick.share;
    this.#live.draw((display) => display.tick(tick));
  }

  /** @type {(exchange: TracedExchange) => void} */
  onExchange(exchange) {
    void writeSafe(this.#io.stderr, exchangeText(exchange));
  }

  /** Prints a line, above a display if there is one. @type {(text: string) => void} */
  notice(text) {
    this.#live.print(text);
  }

  stop() {
    this.#display = null;
    this.#live.stop();
  }

  /**
   * Prints the result and writes its files; returns the reasons, and `notWritten` if it applies.
   * `ending`: those of the end of the run.
   * @type {(ended: Stats, how: { why: string, ending: Set<Reason> }) => Promise<Set<Reason>>}
   */
  async printResult(ended, { why, ending }) {
    const run = this.#info && { ...this.#info, endReason: why };
    const stats = this.#companions.reduce((sum, { addTo }) => addTo?.(sum, run ?? undefined) ?? sum, ended);
    const reasons = reasonsOf(stats, this.#request, ending);
    /** @type {Result} */
    const result = { ...stats, id: stats.id ?? this.#id, ...(run && { run }) };
    this.#sample(this.#sampler.all(stats));
    const printed = await printResult(result, { options: this.#request, reasons, outputs: this.#outputs }, this.#io);
    for (const { onResult } of this.#companions) onResult?.(withOutcome(result, printed), this.#outputs.written);
    return printed;
  }

  /** @type {(stats: Stats) => void} */
  #updateCompanions(stats) {
    const run = this.#info && { run: this.#info };
    for (const { onState } of this.#companions) onState?.({ ...stats, ...run }, this.#share);
  }

  get #isForPrograms() {
    const { format } = this.#request;
    return format !== 'text' && format !== 'object';
  }

  #suitableDisplay() {
    const { quiet, debug, screen: wanted } = this.#request;
    const { stdout, stderr, env } = this.#io;
    if (quiet || debug) return undefined;
    // The program behind a pipe may use the terminal itself, as less does.
    const screen = wanted === 'auto' && !stdout.isTTY ? 'never' : wanted;
    return DISPLAYS.find(({ suits }) => suits({ stderr, env, isForPrograms: this.#isForPrograms, screen }));
  }

  /** Reports whether the display shows the response times of each interval. */
  get needsIntervals() {
    return this.#suitableDisplay()?.needsIntervals === true;
  }

  /** Shows the display once it is loaded and the run has begun. */
  #showDisplay() {
    const [display, totalMs] = [this.#display, this.#totalMs];
    if (!display || totalMs === null) return;
    this.#display = null;
    const { stderr, env } = this.#io;
    const run = this.#info ?? undefined;
    const { title } = /** @type {{ title?: string }} */ (run?.options ?? {});
    this.#live.show((notices) =>
      display.start({
        stderr,
        color: hasColors(stderr, env, this.#request.color),
        unicode: hasUnicode(env),
        totalMs,
        head: headOf({ title, run, operations: [] }),
        env,
        notices,
        isWanted: this.#request.screen === 'always',
        everyMs: this.#request.runOptions?.progress || undefined,
      }),
    );
  }

  /** @type {(points: object[]) => void} */
  #sample(points) {
    this.#outputs.sample(points);
    if (this.#request.format !== 'ndjson') return;
    for (const point of points) this.#io.stdout.write(pointLine(point));
  }
}

const MAX_OPERATIONS = 12;
const PACED_BY = { timer: 'timers', thread: 'a thread', poll: 'polling' };

/** Describes how an open run waits for its arrivals. @type {(pacing: PlanSummary['pacing']) => string[]} */
export function pacingTexts(pacing) {
  return pacing ? [`paced by ${PACED_BY[pacing]}`] : [];
}

/**
 * Describes the planned run in a few lines. `from`: source of the flow; `width`: columns of the terminal.
 * @type {(plan: PlanSummary, about: { from: string, version: string, width?: number }) => string}
 */
export function planText({ shape, pacing, operations, shard, ...way }, { from, version, width = Infinity }) {
  const target = safe(targetText(way));
  const run = [`bench-rest ${version}: ${safe(shape)}`, ...pacingTexts(pacing)].join(', ');
  const load = wrapped(`${run}${target}`, 2, width);
  const part = shard ? `\nshard ${shard.number} of ${shard.of}` : '';
  const phases = Object.entries(operations).filter(([, names]) => names.length > 0);
  const lines = phases.flatMap(([phase, names]) =>
    listed(names).map((name, i) => `  ${(i === 0 ? phase : '').padEnd(10)}  ${name}\n`),
  );
  return `${load}${part}\nflow: ${safe(from)}\n${lines.join('')}`;
}

/** @type {(names: string[]) => string[]} */
function listed(names) {
  const some = names.slice(0, MAX_OPERATIONS).map(safe);
  return names.length > MAX_OPERATIONS ? [...some, `and ${names.length - MAX_OPERATIONS} more`] : some;
}

/** Returns each point of the series once, when it is complete. */
export class Sampler {
  #last = -1;

  /** Leaves out points that may change: the last, and those to be joined with it. @type {(stats: Stats) => object[]} */
  finished({ series: { points, interval } }) {
    const last = points.at(-1)?.at ?? 0;
    const end = last - (last % Intervals.unitOf(interval));
    return this.#newOf(points.filter(({ at }) => at < end));
  }

  /** Returns new points when the run is over. @type {(stats: Stats) => object[]} */
  all({ series }) {
    return this.#newOf(series.points);
  }

  /** @type {(points: Stats['series']['points']) => Stats['series']['points']} */
  #newOf(points) {
    const fresh = points.filter(({ at }) => at > this.#last);
    this.#last = fresh.at(-1)?.at ?? this.#last;
    return fresh;
  }
}
