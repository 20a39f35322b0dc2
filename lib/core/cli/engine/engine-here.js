import { Readable } from 'node:stream';
import { MessageChannel } from 'node:worker_threads';

import { isUrl } from '../../flow/source/formats/url.js';
import { bringsTarget, reachingIn } from '../../run/options/index.js';
import { LOAD } from '../../run/options/load.js';
import { LedByMessages } from '../../run/runner.js';
import { MOST_OF_SMALL } from '../commands/index.js';

/** @import { ThreadListener } from '../../run/runner.js' */
/** @import { FlowInput } from '../../flow/source/types.js' */

/** What a run here may have of the options of loads. */
const OWN = ['iterations', 'limit', 'seed'];
const OTHER_LOADS = LOAD.map(({ name }) => name).filter((name) => !OWN.includes(name));

/**
 * Reports whether a run has a few requests and no code of the user, which could block the terminal and signals: a
 * thread would cost more than all of it, 100 ms of CPU. In a longer run, what the command prints would delay requests.
 * @type {(source: FlowInput, options: Record<string, any>) => boolean}
 */
export function runsHere(source, options) {
  const urls = 'argument' in source ? [source.argument] : 'urls' in source ? source.urls : [];
  return (
    urls.length > 0 &&
    urls.every(isUrl) &&
    Number(options.iterations ?? 1) <= MOST_OF_SMALL &&
    !OTHER_LOADS.some((name) => options[name] !== undefined) &&
    !bringsTarget(options) &&
    reachingIn(options).length === 0
  );
}

/** The engine of such a run in the main thread, with the members of an `EngineThread`. */
export class EngineHere extends LedByMessages {
  stdout = Readable.from([]);
  stderr = Readable.from([]);
  #port;
  #ownPort;
  /** @type {ThreadListener | null} */
  #listener = null;

  constructor() {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#ownPort = port2;
    import('./engine-worker.js').then(
      ({ serveEngine }) => serveEngine(port2),
      (error) => this.#listener?.onLost({ error }),
    );
  }

  /** @type {(listener: ThreadListener) => void} */
  listen(listener) {
    this.#listener = listener;
    this.#port.on('message', (message) => listener.onMessage(listener.read(message)));
  }

  /** @override @type {LedByMessages['post']} */
  post(message) {
    this.#port.postMessage(message);
  }

  /** The process ends with what it still sends. @type {() => Promise<void>} */
  terminate = async () => {
    this.#port.close();
    this.#ownPort.close();
  };
}
