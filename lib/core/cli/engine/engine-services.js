import { offered } from '../../ground/addons.js';

/** @import { KeptService, ServiceEntry } from '../types.js' */

/** @type {ServiceEntry[]} */
const ENTRIES = offered('services');

export const SERVICES = ENTRIES.map(({ name }) => name);

/** @type {(name: string) => ReturnType<ServiceEntry['load']>} */
const moduleOf = (name) => /** @type {ServiceEntry} */ (ENTRIES.find((one) => one.name === name)).load();

/** Reads a message of the thread of a run for a service. @type {(name: string, message: unknown) => any} */
export function readForService(name, message) {
  return moduleOf(name).read(message);
}

/**
 * What this thread keeps for the thread of a run, or for those of several runs: hooks may block these, end them, or
 * keep them too busy.
 */
export class EngineServices {
  #outlivesRun;
  /** Each since a run has needed it. @type {Map<string, KeptService>} */
  #kept = new Map();

  /** @param {{ outlivesRun?: boolean }} [options] outlivesRun: the next run uses them again */
  constructor({ outlivesRun = false } = {}) {
    this.#outlivesRun = outlivesRun;
  }

  /** Passes a message on. @type {(name: string, ...sent: Parameters<KeptService['receive']>) => void} */
  receive(name, message, thread) {
    const kept = this.#kept.get(name) ?? moduleOf(name).open();
    this.#kept.set(name, kept);
    kept.receive(message, thread);
  }

  /** Tells how those ended that did so by themselves; empty if none did. @type {() => Promise<string>} */
  async lastOutput() {
    return this.#texts((kept) => kept.lastOutput());
  }

  /**
   * Ends them. At the end of a run (`endsRun`) those go on that outlive the run. Resolves with a notice, or empty.
   * @type {(how: { isAborted: boolean, endsRun?: boolean }) => Promise<string>}
   */
  async end({ isAborted, endsRun = false }) {
    return endsRun && this.#outlivesRun ? '' : this.#texts((kept) => kept.end(isAborted));
  }

  /** @type {(textOf: (kept: KeptService) => Promise<string>) => Promise<string>} */
  async #texts(textOf) {
    const texts = await Promise.all([...this.#kept.values()].map(textOf));
    return texts.filter((text) => text !== '').join('\n');
  }
}
