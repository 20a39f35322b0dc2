/** Where rows begin and end: a list of numbers that grows without a copy for each of them. */
export class RowBounds {
  #numbers = new Uint32Array(2048);
  #length = 0;

  /** Rows so far. */
  get count() {
    return this.#length / 2;
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  add(from, to) {
    if (this.#length === this.#numbers.length) {
      const numbers = new Uint32Array(2 * this.#length);
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers[this.#length++] = from;
    this.#numbers[this.#length++] = to;
  }

  /** @returns {Uint32Array} from and to in turn */
  toArray() {
    return this.#numbers.slice(0, this.#length);
  }
}
