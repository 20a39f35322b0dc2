/** @import { TransportTotals } from './types.js' */

/** @type {TransportTotals} */
export const NO_TRAFFIC = { opened: 0, reused: 0, closedByServer: 0, discarded: 0, bytesSent: 0, bytesReceived: 0 };

/** @type {(all: TransportTotals[]) => TransportTotals} */
export function addTotals(all) {
  return combined((name) => all.reduce((sum, totals) => sum + totals[name], 0));
}

/** @type {(now: TransportTotals, earlier: TransportTotals) => TransportTotals} */
export function subtractTotals(now, earlier) {
  return combined((name) => now[name] - earlier[name]);
}

/** @type {(count: (name: keyof TransportTotals) => number) => TransportTotals} */
function combined(count) {
  const names = /** @type {(keyof TransportTotals)[]} */ (Object.keys(NO_TRAFFIC));
  return /** @type {TransportTotals} */ (Object.fromEntries(names.map((name) => [name, count(name)])));
}
