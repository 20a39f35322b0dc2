import { choice } from './memory.js';
import { truth } from './operators.js';
import { sym, Thrown, unknown } from './values.js';

/** @import { Host } from './interpreter.js' */
/** @import { Changes, Memory } from './memory.js' */
/** @import { Node, Value } from './values.js' */
/**
 * @typedef {{ kind: 'return' | 'break' | 'continue' | 'throw', value?: Value } | null} Completion how a statement
 *   ended
 */
/** @typedef {{ test: Value, until: string }} Guard a condition of what follows, and what ends it */

/** Passes of a loop that are written one after the other. */
const MOST_PASSES = 100;

/** The ways that a script may take: both sides of a condition that only a run knows are followed. */
export class Branches {
  /** Conditions under which the current statement runs. @type {Guard[]} */
  guards = [];
  /**
   * The values that the current function may have returned, under a condition.
   * @type {{ test: Value, value: Value }[]}
   */
  #returns = [];
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
    const outer = { guards: this.guards.length, returns: this.#returns };
    this.#returns = [];
    try {
      const completion = act();
      if (completion?.kind === 'throw') throw new Thrown();
      const last = completion?.kind === 'return' ? completion.value : undefined;
      return this.#returns.reduceRight((value, one) => choice(one.test, one.value, value), last);
    } finally {
      this.#returns = outer.returns;
      this.#endGuards(outer.guards, 'return');
    }
  }

  /** @type {(from: number, ...kinds: string[]) => void} */
  #endGuards(from, ...kinds) {
    this.guards = this.guards.filter(({ until }, i) => i < from || !kinds.includes(until));
  }

  /** Runs what may throw; true: it did. @type {(act: () => void) => boolean} */
  catches(act) {
    const from = this.guards.length;
    try {
      act();
      return false;
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      return true;
    } finally {
      this.#endGuards(from, 'throw');
    }
  }

  /** How a statement ends that may throw. @type {(act: () => Completion) => Completion} */
  ending(act) {
    /** @type {Completion} */
    let completion = null;
    return this.catches(() => void (completion = act())) ? { kind: 'throw' } : completion;
  }

  /** @type {(test: Value, act: () => Completion) => { completion: Completion, changes: Changes }} */
  #under(test, act) {
    /** @type {Completion} */
    let completion = null;
    const changes = this.#memory.changesBy(() => {
      const guard = { test, until: 'block' };
      this.guards.push(guard);
      try {
        completion = act();
      } catch (error) {
        if (!(error instanceof Thrown)) throw error;
        completion = { kind: 'throw' };
      }
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
    const not = sym('unary', { operator: '!', argument: test, node: test.node });
    const [first, second] = [this.#under(test, yes), this.#under(not, no)];
    const [a, b] = [first.completion, second.completion];
    if (a && !b) this.#memory.keep(null, [second.changes]);
    else if (b && !a) this.#memory.keep(null, [first.changes]);
    else this.#memory.keep(decides, [first.changes, second.changes]);
    if (a && b) {
      if (a.kind === 'return' && b.kind === 'return') return { kind: 'return', value: choice(test, a.value, b.value) };
      return a.kind === 'throw' ? b : a;
    }
    if (a) this.#endUnder(a, test, not);
    if (b) this.#endUnder(b, not, test);
    return null;
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

  /** @type {(completion: NonNullable<Completion>, test: Value, not: Value) => void} */
  #endUnder({ kind, value }, test, not) {
    if (kind === 'return') this.#returns.push({ test, value });
    this.guards.push({ test: not, until: kind });
  }

  /**
   * Follows a loop, pass by pass, while its number of passes is known.
   * @type {(node: Node, next: () => boolean | undefined, body: () => Completion) => Completion}
   */
  loop(node, next, body) {
    const from = this.guards.length;
    for (let pass = 0; ; pass++) {
      const goesOn = next();
      if (goesOn === false) break;
      if (goesOn === undefined || pass >= MOST_PASSES) {
        this.#endGuards(from, 'break', 'continue');
        return this.unknownLoop(
          node,
          body,
          goesOn === undefined ? 'only a run knows how often it is repeated' : 'it is repeated too often to be written',
        );
      }
      const completion = body();
      this.#endGuards(from, 'continue');
      if (completion?.kind === 'break') break;
      if (completion && completion.kind !== 'continue') return completion;
    }
    this.#endGuards(from, 'break');
    return null;
  }

  /** @type {(node: Node, body: () => Completion | void, why: string) => Completion} */
  unknownLoop(node, body, why) {
    const decides = 'it depends on a loop before it, and only a run knows how often that is repeated';
    this.perhaps(unknown(node, why), body, unknown(node, decides));
    return null;
  }
}
