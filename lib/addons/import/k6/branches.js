import { choice } from './memory.js';
import { truth } from './operators.js';
import { sym, Thrown, unknown } from './values.js';

/** @import { Host } from './interpreter.js' */
/** @import { Changes, Left, Memory } from './memory.js' */
/** @import { Node, Value } from './values.js' */
/**
 * @typedef {'break' | 'continue' | `break ${string}` | `continue ${string}`} Jump out of the innermost loop, or to a
 *   label
 *
 * @typedef {{ kind: 'return' | 'throw' | Jump, value?: Value } | null} Completion how a statement ended
 */
/**
 * @typedef {object} Guard a condition of what follows
 * @property {Value} test
 * @property {string} until what ends it: a block, or the jump of the path on which the condition does not hold
 * @property {Left} [left] the state of that path
 */

/** Passes of a loop that are written one after the other. */
const MOST_PASSES = 100;

/** @type {(test: Value) => Value} */
function notOf(test) {
  return sym('unary', { operator: '!', argument: test, node: test.node });
}

/** @type {(left: Value, right: Value) => Value} */
function both(left, right) {
  return sym('logical', { operator: '&&', left, right, node: right.node });
}

/** @type {(left: Value, right: Value) => Value} */
function either(left, right) {
  return sym('logical', { operator: '||', left, right, node: right.node });
}

/** The ways that a script may take: both sides of a condition that only a run knows are followed. */
export class Branches {
  /** Conditions under which the current statement runs. @type {Guard[]} */
  guards = [];
  /**
   * The values that the current function may have returned, under a condition.
   * @type {{ test: Value, value: Value }[]}
   */
  #returns = [];
  /** Those of the loop that follows. @type {string[]} */
  #labels = [];
  #memory;
  #host;

  /** @param {Memory} memory @param {Host} host */
  constructor(memory, host) {
    this.#memory = memory;
    this.#host = host;
  }

  /**
   * The value of a function, whose code ends with a completion.
   * @throws {Thrown} @type {(act: () => Completion) => Value}
   */
  returned(act) {
    const from = this.guards.length;
    const outer = this.#returns;
    this.#returns = [];
    try {
      const completion = this.#completed(act);
      const isThrown = this.#settled(from, ['return'], completion)?.kind === 'throw';
      if (isThrown) throw new Thrown();
      const last = completion?.kind === 'return' ? completion.value : undefined;
      return this.#returns.reduceRight((value, one) => choice(one.test, one.value, value), last);
    } finally {
      this.#returns = outer;
    }
  }

  /** How a statement ends that may throw. @type {(act: () => Completion | void) => Completion} */
  #completed(act) {
    try {
      return act() ?? null;
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      return { kind: 'throw' };
    }
  }

  /**
   * Ends the jumps of these kinds: their paths go on here. What ends the current path more becomes a jump of it alone.
   * @type {(from: number, kinds: string[], completion: Completion) => Completion}
   */
  #settled(from, kinds, completion) {
    const ended = this.guards.slice(from).filter(({ until }) => kinds.includes(until));
    this.guards = this.guards.filter((one) => !ended.includes(one));
    const isEnded = completion !== null && kinds.includes(completion.kind);
    if (ended.length === 0) return isEnded ? null : completion;
    const lefts = ended.map(({ left }) => /** @type {Left} */ (left));
    if (completion === null || isEnded) {
      for (const [i, { test }] of [...ended.entries()].reverse()) this.#memory.rejoin(test, lefts[i]);
      return null;
    }
    const test = ended.map((one) => one.test).reduce(both);
    const own = this.#memory.leave(lefts);
    for (const [i, one] of [...ended.entries()].reverse())
      this.#memory.rejoin(i === lefts.length - 1 ? null : one.test, lefts[i]);
    this.#jump(completion, { test, not: notOf(test), left: own });
    return null;
  }

  /** Runs what may throw. @type {(act: () => void) => void} */
  catches(act) {
    const from = this.guards.length;
    this.#settled(from, ['throw'], this.#completed(act));
  }

  /**
   * Follows a `try`.
   * @type {(act: () => Completion, handle: (() => Completion) | null, final: (() => Completion) | null) => Completion}
   */
  attempt(act, handle, final) {
    const from = this.guards.length;
    let completion = this.#completed(act);
    if (handle) {
      const thrown = this.guards.slice(from).filter(({ until }) => until === 'throw');
      const [isThrown, isEnded] = [completion?.kind === 'throw', completion !== null];
      completion = this.#settled(from, ['throw'], completion);
      // what else ended the current path is a jump now, so that only those that threw go on
      if (isThrown || (isEnded && thrown.length > 0)) completion = this.#completed(handle);
      else if (thrown.length > 0)
        completion = this.branch(notOf(thrown.map(({ test }) => test).reduce(both)), handle, () => null);
    }
    if (!final) return completion;
    // it runs whatever has jumped
    const jumps = this.guards.splice(from);
    const own = final();
    this.guards.push(...jumps);
    return own ?? completion;
  }

  /** @type {(test: Value, act: () => Completion) => { completion: Completion, changes: Changes }} */
  #under(test, act) {
    /** @type {Completion} */
    let completion = null;
    const changes = this.#memory.changesBy(() => {
      const guard = { test, until: 'block' };
      const [from, returns] = [this.guards.push(guard), this.#returns.length];
      completion = this.#completed(act);
      // where the condition does not hold, nothing has jumped
      for (const one of this.guards.slice(from)) one.test = either(notOf(test), one.test);
      for (const one of this.#returns.slice(returns)) one.test = both(test, one.test);
      this.guards = this.guards.filter((one) => one !== guard);
    });
    return { completion, changes };
  }

  /**
   * Follows both sides of a condition; `decides` is that of the values that one of them changes.
   * @type {(test: Value, yes: () => Completion, no: () => Completion, decides?: Value) => Completion}
   */
  branch(test, yes, no, decides = test) {
    const known = truth(test, this.#host);
    if (known !== undefined) return (known ? yes : no)();
    const not = notOf(test);
    const [first, second] = [this.#under(test, yes), this.#under(not, no)];
    const [a, b] = [first.completion, second.completion];
    if (a?.kind === b?.kind) {
      this.#memory.keep(decides, [first.changes, second.changes]);
      return a?.kind === 'return' ? { kind: 'return', value: choice(test, a.value, b?.value) } : a;
    }
    const [jumping, other] = a ? [first, second] : [second, first];
    const left = this.#memory.leave([], jumping.changes);
    const sides = a ? { test, not, left } : { test: not, not: test, left };
    this.#jump(/** @type {NonNullable<Completion>} */ (jumping.completion), sides);
    this.#memory.keep(null, [other.changes]);
    return other.completion;
  }

  /**
   * Follows what a condition may leave out.
   * @type {(test: Value, act: () => Completion | void, decides?: Value) => void}
   */
  perhaps(test, act, decides) {
    this.branch(
      test,
      () => act() ?? null,
      () => null,
      decides,
    );
  }

  /**
   * A path has jumped: what follows runs where its condition does not hold.
   * @type {(completion: NonNullable<Completion>, of: { test: Value, not: Value, left: Left }) => void}
   */
  #jump({ kind, value }, { test, not, left }) {
    if (kind === 'return') this.#returns.push({ test, value });
    this.guards.push({ test: not, until: kind, left });
  }

  /**
   * Follows a loop, pass by pass, while its number of passes is known.
   * @type {(node: Node, next: () => boolean | undefined, body: () => Completion) => Completion}
   */
  loop(node, next, body) {
    const from = this.guards.length;
    const labels = this.#labels.splice(0);
    const [breaks, continues] = ['break', 'continue'].map((kind) => [kind, ...labels.map((one) => `${kind} ${one}`)]);
    for (let pass = 0; ; pass++) {
      const goesOn = next();
      if (goesOn === false) return this.#settled(from, breaks, null);
      if (goesOn === undefined || pass >= MOST_PASSES) {
        this.#settled(from, breaks, null);
        return this.unknownLoop(
          node,
          body,
          goesOn === undefined ? 'only a run knows how often it is repeated' : 'it is repeated too often to be written',
        );
      }
      const completion = this.#settled(from, continues, body());
      if (completion) return this.#settled(from, breaks, completion);
    }
  }

  /** Runs a statement that `break` ends. @type {(act: () => Completion) => Completion} */
  breakable(act) {
    const from = this.guards.length;
    return this.#settled(from, ['break'], act());
  }

  /** Runs a statement with a label. @type {(label: string, act: () => Completion) => Completion} */
  labelled(label, act) {
    const from = this.guards.length;
    this.#labels.push(label);
    const completion = act();
    this.#labels = [];
    return this.#settled(from, [`break ${label}`], completion);
  }

  /** @type {(node: Node, body: () => Completion | void, why: string) => Completion} */
  unknownLoop(node, body, why) {
    const decides = 'it depends on a loop before it, and only a run knows how often that is repeated';
    const from = this.guards.length;
    const once = () => {
      const completion = body();
      return completion && /^(?:break|continue)/.test(completion.kind) ? null : completion;
    };
    this.perhaps(unknown(node, why), once, unknown(node, decides));
    return this.#settled(from, ['break', 'continue'], null);
  }
}
