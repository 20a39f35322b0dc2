import { Nodes } from './sites.js';

/** @import { OperationDraft } from '../import.js' */
/** @import { Guard } from './branches.js' */
/** @import { Node } from './values.js' */

/** The operations of a phase, which a function of the script becomes. */
export class Phase {
  /** @type {OperationDraft[]} */
  operations = [];
  /** The groups around the current statement. @type {string[]} */
  groups = [];
  /** Nodes that are operations or comments of the phase. */
  shown = new Nodes();
  /** Think time in front of the first operation. @type {{ pause: any, node: Node }[]} */
  early = [];
  /** The conditions of each operation. @type {WeakMap<OperationDraft, Guard[]>} */
  #guardsOf = new WeakMap();

  /** @type {(draft: OperationDraft, guards: Guard[]) => void} */
  add(draft, guards) {
    this.#guardsOf.set(draft, [...guards]);
    this.operations.push(draft);
  }

  /**
   * Lists the conditions that an operation has not.
   * @type {(draft: OperationDraft | undefined, guards: Guard[]) => Guard[]}
   */
  othersThan(draft, guards) {
    return guards.filter((one) => !draft || !this.#guardsOf.get(draft)?.includes(one));
  }

  /**
   * The last operation that is sent whenever these conditions hold.
   * @type {(guards: Guard[]) => OperationDraft | undefined}
   */
  sentUnder(guards) {
    return this.operations.findLast(
      (one) => one.disabled === undefined && this.#guardsOf.get(one)?.every((own) => guards.includes(own)),
    );
  }

  /** The last operation that is no comment. @type {() => OperationDraft | undefined} */
  lastSent() {
    return this.operations.findLast(({ disabled }) => disabled === undefined);
  }
}
