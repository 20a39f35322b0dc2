/** @import { CheckPlace, CheckSummary, ChecksSummary, FirstFailure } from '../contracts/summaries.js' */

/**
 * @typedef {CheckPlace & { passes: number, failures: number, firstFailure: FirstFailure | null }} CheckState the
 *   counts of a check, for another thread or machine
 */

const MAX_CHECKS = 1000;

/** Counts how often each check of `expect` passed: at most 1,000 of them, then `other`. */
export class Checks {
  /** In the order of the flow. @type {Map<string, CheckRecorder>} */
  #all = new Map();

  /** Finds or adds the check at a place. @type {(place: CheckPlace) => CheckRecorder} */
  add(place) {
    const given = keyOf(place);
    const isCountedApart = this.#all.has(given) || this.#all.size < MAX_CHECKS;
    const key = isCountedApart ? given : keyOf(OTHER);
    const check = this.#all.get(key) ?? new CheckRecorder(isCountedApart ? place : OTHER);
    this.#all.set(key, check);
    return check;
  }

  /** @returns {ChecksSummary | null} null: the flow has none */
  toJSON() {
    return this.#all.size === 0 ? null : summaryOf([...this.#all.values()].map((check) => check.toJSON()));
  }

  /** Returns the counts since the last call. @returns {CheckState[]} */
  drain() {
    return [...this.#all.values()].map((check) => check.drain());
  }

  /** Adds the counts of another thread or run. @param {CheckState[]} states */
  addState(states) {
    for (const state of states) this.add(state).addState(state);
  }
}

class CheckRecorder {
  #place;
  /** @type {FirstFailure | null} */
  #firstFailure = null;
  passes = 0;
  failures = 0;

  /** @param {CheckPlace} place */
  constructor({ name, operation, phase, path, scenario, labels }) {
    this.#place = {
      ...{ name, operation, phase, path },
      ...(scenario !== undefined && { scenario }),
      ...(labels && { labels }),
    };
  }

  /** @type {(index: number | undefined, message: string) => void} */
  fail(index, message) {
    this.failures++;
    this.#keep({ index: index ?? null, message });
  }

  /** @type {() => CheckSummary} */
  toJSON() {
    const { passes, failures } = this;
    const firstFailure = this.#firstFailure;
    return {
      ...this.#place,
      passed: passes,
      failed: failures,
      share: shareOf(passes, failures),
      ...(firstFailure && { firstFailure }),
    };
  }

  /** @type {() => CheckState} */
  drain() {
    const state = { ...this.#place, passes: this.passes, failures: this.failures, firstFailure: this.#firstFailure };
    this.passes = this.failures = 0;
    this.#firstFailure = null;
    return state;
  }

  /** @type {(state: CheckState) => void} */
  addState({ passes, failures, firstFailure }) {
    this.passes += passes;
    this.failures += failures;
    if (firstFailure) this.#keep(firstFailure);
  }

  /** Keeps the failure of the lowest INDEX, or one outside iterations. @type {(failure: FirstFailure) => void} */
  #keep(failure) {
    if (this.#firstFailure === null || (failure.index ?? -1) < (this.#firstFailure.index ?? -1))
      this.#firstFailure = failure;
  }
}

/** @type {CheckPlace} */
const OTHER = { name: 'other', operation: '', phase: '', path: '' };

/** @type {(place: CheckPlace) => string} */
function keyOf({ name, path }) {
  return path === '' ? '' : `${path} ${name}`;
}

/** @type {(details: CheckSummary[]) => ChecksSummary} */
function summaryOf(details) {
  const passed = details.reduce((sum, one) => sum + one.passed, 0);
  const failed = details.reduce((sum, one) => sum + one.failed, 0);
  return { passed, failed, share: shareOf(passed, failed), details };
}

/** Returns the share of the passes; null without checks. @type {(passes: number, failures: number) => number | null} */
export function shareOf(passes, failures) {
  return passes + failures > 0 ? passes / (passes + failures) : null;
}
