import { listOf } from '../../../../text/format-value.js';

/** examples that a line names */
const MOST_NAMED = 3;

/** The parts of a recording that are not sent, in words that follow a number. */
const REASONS = /** @type {const} */ ({
  webSocket: 'WebSocket',
  scheme: 'not HTTP (data:, blob:, extensions)',
  tunnel: 'CONNECT of a proxy',
  cache: "from the browser's cache (record with the cache disabled)",
  failed: 'without a response (blocked or failed)',
  field: 'header fields that cannot be sent (invalid name or character, or a token)',
  body: 'bodies that are not in the recording; their requests are sent without them',
});

/** @typedef {keyof typeof REASONS} LeftOutReason */

/** Counts what of a recording is not sent, and remembers a few examples. */
export class LeftOut {
  /** @type {Map<LeftOutReason, { count: number, examples: Set<string> }>} */
  #counts = new Map();
  /** @type {Map<string, number>} */
  #origins = new Map();

  /** @type {(reason: LeftOutReason, example: string) => void} */
  add(reason, example) {
    const known = this.#counts.get(reason) ?? { count: 0, examples: new Set() };
    known.count++;
    if (known.examples.size < MOST_NAMED) known.examples.add(example);
    this.#counts.set(reason, known);
  }

  /** A request to an origin that is not selected. @type {(origin: string) => void} */
  addOrigin(origin) {
    this.#origins.set(origin, (this.#origins.get(origin) ?? 0) + 1);
  }

  /** @returns {string[]} a line for each reason: `1 WebSocket: log.entries[4]` */
  lines() {
    const origins = [...this.#origins].sort(([, a], [, b]) => b - a).map(([origin, count]) => `${origin} (${count})`);
    const toOthers = [...this.#origins.values()].reduce((sum, count) => sum + count, 0);
    return [
      ...(toOthers > 0
        ? [`${toOthers} to other origins, of which --base-url can select one: ${listOf(origins, MOST_NAMED)}`]
        : []),
      ...[...this.#counts].map(
        ([reason, { count, examples }]) => `${count} ${REASONS[reason]}: ${listOf([...examples], MOST_NAMED, count)}`,
      ),
    ];
  }
}
