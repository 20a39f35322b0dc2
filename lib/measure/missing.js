/**
 * What a result lacks that was cut off, in the words of its verdict.
 *
 * @typedef {{ afterMain: unknown[], after: unknown[] }} Teardown operations of a flow
 */

export const ABORTED = 'aborted: what was running was cancelled, without a grace period';
export const AFTER_CUT = 'tear-down incomplete: after was cut off by its time limit';

/** @type {(teardown: Teardown, cancelled: number) => string[]} cancelled: iterations */
export function teardownIncomplete({ afterMain, after }, cancelled) {
  const parts = [
    afterMain.length > 0 && cancelled > 0 && `afterMain of ${cancelled} iterations`,
    after.length > 0 && 'after',
  ].filter(Boolean);
  return parts.length > 0 ? [`tear-down incomplete: ${parts.join(' and ')} did not run to the end`] : [];
}

/** @type {(name: string, silentMs: number) => string} name of the worker; silentMs: since its last report */
export function workerLost(name, silentMs) {
  return `${name} was lost: its requests of the last ${seconds(silentMs)} s are not counted`;
}

/** @type {(silentMs: number) => string} since the last report */
export function lastKnownState(silentMs) {
  return `last known state: ${seconds(silentMs)} s before the end of the run; what came after it is not counted`;
}

/** @type {(ms: number) => string} */
function seconds(ms) {
  return (ms / 1000).toFixed(1);
}
