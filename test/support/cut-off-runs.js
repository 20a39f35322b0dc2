import { recorded, resultOf } from './recorded.js';

/**
 * A recorder of iterations that completed, and of others that the end of the run cut off after so long.
 *
 * @param {{ completed?: number[], cut?: number[], phase?: string, names?: string[] }} times names: of the operations that
 *   were cut off, in turn
 */
export function cutOffRecorder({ completed = [], cut = [], phase = 'main', names = ['GET /hang'] }) {
  const one = recorded(completed.map((ms, i) => ({ at: i, ms, status: 200 })));
  const labels = { scenario: 'rare', group: 'cart' };
  const operations = names.map((name) => one.operations.add(name, phase, { labels }));
  const [scenario, group] = [one.scenarios.add('rare'), one.groups.add('cart')];
  for (const ms of completed) scenario.took(ms, 0);
  for (const _ of completed) scenario.ended('completed');
  for (const [i, ms] of cut.entries()) {
    const lane = { isRunning: false };
    one.started(lane, 1);
    operations[i % names.length].unanswered();
    operations[i % names.length].cutOff(ms);
    if (phase === 'main') for (const measured of [one, scenario, group]) measured.cutOff(ms);
    one.ended(lane, phase === 'main' ? 'cancelled' : 'completed', 2, 1);
  }
  return one;
}

/** The result of such a recorder. */
export const cutOffResult = (times) => resultOf(cutOffRecorder(times));

export const named = (all, name) => all.find((one) => one.name === name);
