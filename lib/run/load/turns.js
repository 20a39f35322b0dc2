/**
 * Lanes that continue in one turn of the event loop. A failed connect costs about 30 us, so a turn takes about 2 ms,
 * regardless of the number of failing lanes.
 */
const MOST_PER_TURN = 64;

/** Lets lanes continue in later turns of the event loop, between which Node serves timers, signals and sockets. */
export class Turns {
  /** @type {(() => void)[]} */
  #waiting = [];

  /** @returns {Promise<void>} resolves in a later turn, in the order of the calls */
  next() {
    return new Promise((resume) => {
      if (this.#waiting.push(resume) === 1) setImmediate(this.#serve);
    });
  }

  #serve = () => {
    const due = this.#waiting.slice(0, MOST_PER_TURN);
    this.#waiting = this.#waiting.slice(MOST_PER_TURN);
    if (this.#waiting.length > 0) setImmediate(this.#serve);
    for (const resume of due) resume();
  };
}
