import { markSlot } from './template.js';

/** @import { Place } from './template.js' */

/** Stands for a value that a function of the flow returns for each request: its place in `scope.values`. */
export class Slot {
  /**
   * @param {number} at
   * @param {string} name of a token of the flow; empty for a function in the place of a value
   */
  constructor(at, name = '') {
    this.at = at;
    this.name = name;
  }

  /** @type {(place: Place) => string} */
  mark(place) {
    return markSlot(this, place);
  }

  /** In JSON it is a value, not a text: see `unquoteValues`. */
  toJSON() {
    return this.mark('value');
  }
}
