const FIRST_MS = 125;
const LONGEST_MS = 1000;
/** intervals of a length, before it doubles */
const MOST_OF_A_LENGTH = 16;

/**
 * The lengths of the intervals that a run over time is cut into: 1 s, but shorter ones during the first 8 s, so that a run of
 * a second has a course, too. They double, so that a longer one consists of shorter ones.
 */
export class Intervals {
  #longest;

  /**
   * @param {number} length ms
   * @returns {number} ms: intervals of this length may be joined later, but none that reach over a multiple of this
   */
  static unitOf(length) {
    const isOfBeginning = length < LONGEST_MS && Number.isInteger(Math.log2(length / FIRST_MS));
    return isOfBeginning ? LONGEST_MS : length;
  }

  /** @param {number} [fixed] ms of all of them */
  constructor(fixed) {
    /** ms */
    this.first = fixed ?? FIRST_MS;
    this.#longest = fixed ?? LONGEST_MS;
  }

  /**
   * @param {number} from ms since the start
   * @returns {number} ms of the interval that begins then
   */
  lengthAt(from) {
    let length = this.first;
    while (length < this.#longest && from >= MOST_OF_A_LENGTH * length) length *= 2;
    return length;
  }
}
