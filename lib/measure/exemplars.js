/**
 * @typedef {object} Exemplar one request, as an example; times in ms since the start of the iterations
 * @property {number | null} index of the iteration
 * @property {string} operation `flow.main[0] GET /items`
 * @property {number | null} status
 * @property {number} ms service time
 * @property {boolean} reused the connection had carried an earlier request
 * @property {number | null} scheduled when the iteration was due; null in a closed run
 * @property {number} started
 * @property {number | null} connected null if the connection was reused or failed
 * @property {number | null} sent
 * @property {number | null} firstByte
 * @property {number} ended
 * @property {string} [error]
 * @property {string} [code]
 *
 * @typedef {{ slowest: Exemplar[], failed: Exemplar[] }} ExemplarsSummary
 */

const MAX_EXEMPLARS = 10;
const MAX_OF_A_KIND = 3;

/** Keeps the 10 slowest requests, and the first 10 failed ones, at most 3 with the same code and operation. */
export class Exemplars {
  /** slowest first @type {Exemplar[]} */
  #slowest = [];
  /** @type {Exemplar[]} */
  #failed = [];
  /** only slower requests are kept, ms */
  bar = -1;

  /** @type {(exemplar: Exemplar) => void} */
  addSlow(exemplar) {
    if (exemplar.ms <= this.bar) return;
    this.#slowest.push(exemplar);
    this.#slowest.sort((a, b) => b.ms - a.ms);
    this.#slowest.length = Math.min(MAX_EXEMPLARS, this.#slowest.length);
    if (this.#slowest.length === MAX_EXEMPLARS) this.bar = this.#slowest[MAX_EXEMPLARS - 1].ms;
  }

  /** Returns whether a failed request would be kept. @type {(code: string, operation: string) => boolean} */
  accepts(code, operation) {
    return (
      this.#failed.length < MAX_EXEMPLARS &&
      this.#failed.filter((one) => one.code === code && one.operation === operation).length < MAX_OF_A_KIND
    );
  }

  /** @type {(exemplar: Exemplar) => void} */
  addFailed(exemplar) {
    if (this.accepts(exemplar.code ?? '', exemplar.operation)) this.#failed.push(exemplar);
  }

  /** @type {(others: ExemplarsSummary) => void} */
  add({ slowest, failed }) {
    for (const exemplar of slowest) this.addSlow(exemplar);
    for (const exemplar of failed) this.addFailed(exemplar);
  }

  /** Returns the exemplars kept since the last call. @returns {ExemplarsSummary} */
  drain() {
    const state = this.toJSON();
    this.#slowest = [];
    this.#failed = [];
    this.bar = -1;
    return state;
  }

  /** @returns {ExemplarsSummary} */
  toJSON() {
    return { slowest: [...this.#slowest], failed: [...this.#failed] };
  }
}
