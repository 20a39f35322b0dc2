import { REPORTERS } from '../../report/formats/index.js';
import { DISPLAYS, STATE_MS, TICK_MS } from '../../report/live/index.js';
import { hasColors, hasUnicode, terminalColumns } from '../output.js';
import { distributionsOf } from '../result/describe-run.js';

/** @import { Phase } from '../../ground/phases.js' */
/** @import { Display, LiveDisplay, Reporter } from '../../report/types.js' */
/** @import { RunResult, Run, ShowSettings } from '../../run/run.js' */

/**
 * Shows a run of a program: its progress on stderr, and its report on stdout. Resolves when everything is loaded, and
 * the run can start. `ended` rejects if the run is refused.
 * @type {(run: Run, ended: Promise<RunResult>, settings?: ShowSettings) => Promise<void>}
 */
export async function showRun(run, ended, settings = {}) {
  const { progress = true, report = true } = settings;
  if (progress) await showProgress(run, ended, settings);
  if (report) await showReport(run, settings);
}

/**
 * Shows the progress from the start of the run to its end, or until it is refused.
 * @type {(run: Run, ended: Promise<RunResult>, settings: ShowSettings) => Promise<void>}
 */
async function showProgress(run, ended, { stderr: given, color }) {
  const { env } = process;
  const stderr = /** @type {NodeJS.WriteStream} */ (given ?? process.stderr);
  const { load } = /** @type {Display} */ (DISPLAYS.find(({ suits }) => suits({ stderr, env, isForPrograms: false })));
  const { start } = await load();
  /** @type {LiveDisplay | null} */
  let live = null;
  /** @type {NodeJS.Timeout[]} */
  let timers = [];
  /** @type {Phase} */
  let phase = 'before';
  run.onPhase = (current) => void (phase = current);
  run.on('start', () => {
    const totalMs = run.plan?.limits.endMs ?? Infinity;
    const display = start({
      stderr,
      color: hasColors(stderr, env, color),
      unicode: hasUnicode(env),
      totalMs,
      isGuest: true,
    });
    live = display;
    timers = [
      setInterval(() => {
        const counters = run.counters();
        if (counters) display.tick({ ...counters, inFlight: run.inFlight(), phase });
      }, TICK_MS),
      setInterval(() => {
        const stats = run.snapshot();
        if (stats) display.state(stats);
      }, STATE_MS),
    ];
  });
  const stop = () => {
    timers.forEach(clearInterval);
    live?.stop();
    live = null;
  };
  run.on('end', stop);
  ended.catch(stop);
}

/** @type {(run: Run, settings: ShowSettings) => Promise<void>} */
async function showReport(run, { stdout: given, color, full, latency }) {
  const stdout = /** @type {NodeJS.WriteStream} */ (given ?? process.stdout);
  const { load } = /** @type {Reporter} */ (REPORTERS.find(({ name }) => name === 'text'));
  const { render } = await load();
  run.on('end', (stats) => {
    // The program gets the error of a run that never began.
    if (run.counters() === null) return;
    stdout.write(
      render(stats, {
        color: hasColors(stdout, process.env, color),
        unicode: hasUnicode(process.env),
        width: terminalColumns(stdout),
        full,
        fullDistribution: latency,
        distributionOf: distributionsOf(stats),
      }),
    );
  });
}
