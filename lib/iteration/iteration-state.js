/**
 * The iteration that a lane runs. `prepareIteration` writes all fields except `isRunning`, which belongs to the recorder:
 * it detects an iteration that ends twice.
 */
export class IterationState {
  #index = /** @type {number | undefined} */ (undefined);
  #due = NaN;
  #pausedMs = 0;
  isRunning = false;

  /** undefined in `before` and `after` */
  get index() {
    return this.#index;
  }

  /** Instant of the clock; NaN in a closed model. */
  get due() {
    return this.#due;
  }

  /** Think time of all iterations so far. */
  get pausedMs() {
    return this.#pausedMs;
  }

  /**
   * @param {number | undefined} index
   * @param {number} due
   */
  begin(index, due) {
    this.#index = index;
    this.#due = due;
  }

  /** @param {number} ms */
  addPause(ms) {
    this.#pausedMs += ms;
  }
}
