import { choice } from './memory.js';
import { truth } from './operators.js';
import { sym, Thrown, unknown } from './values.js';

/** @import { Host } from './interpreter.js' */
/** @import { Changes, Memory } from './memory.js' */
/** @import { Node, Value } from './values.js' */
/**
 * @typedef {'break' | 'continue' | `break ${string}` | `continue ${string}`} Jump out of the innermost loop, or to a
 *   label
 *
 * @typedef {{ kind: 'return' | 'throw' | Jump, value?: Value } | null} Completion how a statement ended
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
  /** That of the loop that follows. @type {string | undefined} */
  #label;
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
    const label = this.#label;
    this.#label = undefined;
    const [breaks, continues] = ['break', 'continue'].map((kind) => [kind, `${kind} ${label}`]);
    for (let pass = 0; ; pass++) {
      const goesOn = next();
      if (goesOn === false) break;
      if (goesOn === undefined || pass >= MOST_PASSES) {
        this.#endGuards(from, ...breaks, ...continues);
        return this.unknownLoop(
          node,
          body,
          goesOn === undefined ? 'only a run knows how often it is repeated' : 'it is repeated too often to be written',
        );
      }
      const completion = body();
      this.#endGuards(from, ...continues);
      if (completion && breaks.includes(completion.kind)) break;
      if (!completion || continues.includes(completion.kind)) continue;
      this.#endGuards(from, ...breaks);
      return completion;
    }
    this.#endGuards(from, ...breaks);
    return null;
  }

  /** Runs a statement that `break` ends. @type {(act: () => Completion) => Completion} */
  breakable(act) {
    const from = this.guards.length;
    const completion = act();
    this.#endGuards(from, 'break');
    return completion?.kind === 'break' ? null : completion;
  }

  /** Runs a statement with a label. @type {(label: string, isLoop: boolean, act: () => Completion) => Completion} */
  labelled(label, isLoop, act) {
    const from = this.guards.length;
    if (isLoop) this.#label = label;
    const completion = act();
    this.#endGuards(from, `break ${label}`);
    return completion?.kind === `break ${label}` ? null : completion;
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
    this.#endGuards(from, 'break', 'continue');
    return null;
  }
}
