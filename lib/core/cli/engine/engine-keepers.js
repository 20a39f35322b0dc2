import { offered } from '../../ground/addons.js';

/** @import { Keeper, KeeperEntry } from '../types.js' */

/** @type {KeeperEntry[]} */
const ENTRIES = offered('keepers');

export const KEEPERS = ENTRIES.map(({ name }) => name);

/** @type {(name: string) => ReturnType<KeeperEntry['load']>} */
const moduleOf = (name) => /** @type {KeeperEntry} */ (ENTRIES.find((one) => one.name === name)).load();

/** Reads a message of the thread of a run for a keeper. @type {(name: string, message: unknown) => any} */
export function readForKeeper(name, message) {
  return moduleOf(name).read(message);
}

/**
 * What this thread keeps for the thread of a run, or for those of several runs: hooks may block these, end them, or
 * keep them too busy.
 */
export class EngineKeepers {
  #outlivesRun;
  /** Each since a run has needed it. @type {Map<string, Keeper>} */
  #kept = new Map();

  /** @param {{ outlivesRun?: boolean }} [options] outlivesRun: the next run uses them again */
  constructor({ outlivesRun = false } = {}) {
    this.#outlivesRun = outlivesRun;
  }

  /** Passes a message on. @type {(name: string, ...sent: Parameters<Keeper['receive']>) => void} */
  receive(name, message, thread) {
    const kept = this.#kept.get(name) ?? moduleOf(name).open();
    this.#kept.set(name, kept);
    kept.receive(message, thread);
  }

  /** Tells how those ended that did so by themselves; empty if none did. @type {() => Promise<string>} */
  async lastOutput() {
    const texts = await Promise.all([...this.#kept.values()].map((kept) => kept.lastOutput()));
    return texts.filter((text) => text !== '').join('\n');
  }

  /** `endsRun`: not those that outlive it. @type {(how: { isAborted: boolean, endsRun?: boolean }) => Promise<void>} */
  async end({ isAborted, endsRun = false }) {
    if (endsRun && this.#outlivesRun) return;
    await Promise.all([...this.#kept.values()].map((kept) => kept.end(isAborted)));
  }
}
