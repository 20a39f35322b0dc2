import { markSlot } from './template.js';

/**
 * @import { TokenUse } from './tokens/types.js'
 * @import { ValuePlace } from './written-value.js'
 */

/** Stands for a value that a function of the flow returns for each request: its place in `scope.values`. */
export class ValueSlot {
  /**
   * @param {number} at
   * @param {string} name the token, as its use is written; empty for a function in the place of a value
   */
  constructor(at, name = '') {
    this.at = at;
    this.name = name;
  }

  /** @type {(place: ValuePlace, use?: TokenUse) => string} */
  mark(place, use) {
    return markSlot(this, place, use);
  }

  /** In JSON it is a value, not a text: see `unquoteValues`. */
  toJSON() {
    return this.mark('value');
  }
}
