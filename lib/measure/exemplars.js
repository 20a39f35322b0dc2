/**
 * @typedef {object} Exemplar one request, as an example; times in ms since iterations began
 * @property {number | null} index of the iteration
 * @property {string} operation `flow.main[0] GET /items`
 * @property {number | null} status
 * @property {number} ms service time
 * @property {boolean} reused the connection had carried another request
 * @property {number | null} scheduled when the iteration was due, where the plan says
 * @property {number} started
 * @property {number | null} connected null where the connection stood already, or never did
 * @property {number | null} sent
 * @property {number | null} firstByte
 * @property {number} ended
 * @property {string} [error]
 * @property {string} [code]
 *
 * @typedef {{ slowest: Exemplar[], failed: Exemplar[] }} ExemplarsSummary
 */

const MOST = 10;
const MOST_OF_A_KIND = 3;

/** Keeps the 10 slowest requests, and 10 of those that failed, at most 3 of a kind. */
export class Exemplars {
  /** falling @type {Exemplar[]} */
  #slowest = [];
  /** @type {Exemplar[]} */
  #failed = [];
  /** a request must be slower to be kept */
  bar = -1;

  /** @type {(exemplar: Exemplar) => void} */
  addSlow(exemplar) {
    if (exemplar.ms <= this.bar) return;
    this.#slowest.push(exemplar);
    this.#slowest.sort((a, b) => b.ms - a.ms);
    this.#slowest.length = Math.min(MOST, this.#slowest.length);
    if (this.#slowest.length === MOST) this.bar = this.#slowest[MOST - 1].ms;
  }

  /** Whether one with this code would be kept. @type {(code: string, operation: string) => boolean} */
  wants(code, operation) {
    return (
      this.#failed.length < MOST &&
      this.#failed.filter((one) => one.code === code && one.operation === operation).length < MOST_OF_A_KIND
    );
  }

  /** @type {(exemplar: Exemplar) => void} */
  addFailed(exemplar) {
    if (this.wants(exemplar.code ?? '', exemplar.operation)) this.#failed.push(exemplar);
  }

  /** @type {(others: ExemplarsSummary) => void} */
  add({ slowest, failed }) {
    for (const exemplar of slowest) this.addSlow(exemplar);
    for (const exemplar of failed) this.addFailed(exemplar);
  }

  /** What was kept since it was last taken. @returns {ExemplarsSummary} */
  take() {
    const taken = this.toJSON();
    this.#slowest = [];
    this.#failed = [];
    this.bar = -1;
    return taken;
  }

  /** @returns {ExemplarsSummary} */
  toJSON() {
    return { slowest: [...this.#slowest], failed: [...this.#failed] };
  }
}
