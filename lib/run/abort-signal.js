/**
 * The runs that each signal stops. They share one listener, because Node warns of more than ten on one signal.
 *
 * @type {WeakMap<AbortSignal, Set<() => void>>}
 */
const stopsOf = new WeakMap();

/**
 * Calls `stop` when the signal is aborted, at once if it already is.
 *
 * @param {AbortSignal | undefined} signal
 * @param {() => void} stop
 * @returns {() => void} unsubscribes; the last one removes the listener
 */
export function onAbort(signal, stop) {
  if (!signal) return () => {};
  if (signal.aborted) stop();
  const stops = stopsOf.get(signal) ?? listen(signal);
  stops.add(stop);
  return () => {
    stops.delete(stop);
    if (stops.size > 0) return;
    signal.removeEventListener('abort', stopAll);
    stopsOf.delete(signal);
  };
}

/** @type {(signal: AbortSignal) => Set<() => void>} */
function listen(signal) {
  const stops = new Set();
  stopsOf.set(signal, stops);
  signal.addEventListener('abort', stopAll);
  return stops;
}

/** @type {(event: Event) => void} */
function stopAll({ target }) {
  for (const stop of stopsOf.get(/** @type {AbortSignal} */ (target)) ?? []) stop();
}
