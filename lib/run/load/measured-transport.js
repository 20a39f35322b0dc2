import { protocolsOf } from '../../flow/origins.js';
import { NO_TRAFFIC, UNTIMED, addTotals, subtractTotals } from '../../transport/traffic.js';

/** @import { Timings, Transport, TransportClient, TransportOptions } from '../../contracts/connection.js' */
/** @import { TransportTotals } from '../../contracts/connection.js' */
/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { Recorder } from '../../measure/recorder.js' */
/** @import { LoadPlan } from '../types.js' */

/** The transport of one thread, whose times and traffic are measured except during the warm-up. */
export class MeasuredTransport {
  /** @type {Timings} */
  #measured;
  /** Recorders of times: the transport keeps this object, so `unmeasured` replaces its properties. @type {Timings} */
  #timings;
  /** The traffic of the warm-up. @type {TransportTotals} */
  #unmeasured = NO_TRAFFIC;
  /** @type {Transport} */
  transport;

  /**
   * @param {TransportClient['open']} open
   * @param {RunOptions} options
   * @param {object} context
   * @param {Recorder['histograms']} context.histograms
   * @param {number} [context.connections] of HTTP/2 that the virtual users of the thread share
   * @param {number} context.turn of the first connection among the addresses of a name
   * @param {TransportOptions['reads']} [context.reads]
   */
  constructor(open, options, { histograms, turn, connections, reads }) {
    const { connect, tls, ttfb } = histograms;
    this.#measured = { connect, tls, ttfb };
    this.#timings = { ...this.#measured };
    this.transport = open({
      ...options,
      timings: this.#timings,
      turn,
      connections,
      reads,
      tracksLinks: options.log !== undefined,
    });
  }

  /** Performs work that is not measured. @type {<T>(work: () => Promise<T>) => Promise<T>} */
  async unmeasured(work) {
    const earlier = this.transport.totals();
    Object.assign(this.#timings, UNTIMED);
    const result = await work();
    Object.assign(this.#timings, this.#measured);
    this.#unmeasured = subtractTotals(this.transport.totals(), earlier);
    this.transport.addresses.reset();
    return result;
  }

  /** Returns the totals without unmeasured work. @type {() => TransportTotals} */
  totals() {
    return subtractTotals(this.transport.totals(), this.#unmeasured);
  }

  close() {
    return this.transport.close();
  }
}

/**
 * Loads the HTTP client of a plan, and the clients of the other protocols of its flow.
 * @type {(plan: Pick<LoadPlan, 'flow' | 'transport'>) => Promise<TransportClient['open']>}
 */
export async function loadTransport({ flow, transport }) {
  const { open } = await transport.load();
  const clients = await Promise.all(
    protocolsOf(flow).flatMap(({ name, loadClient }) =>
      loadClient === undefined ? [] : [loadClient().then((client) => ({ name, open: client.open }))],
    ),
  );
  return clients.length === 0 ? open : openWith(open, clients);
}

/**
 * Makes one transport of several clients: endpoints that name a client get a connection of it, and all others one of
 * HTTP.
 * @type {(openHttp: TransportClient['open'], clients: { name: string, open: TransportClient['open'] }[]) =>
 *   TransportClient['open']}
 */
function openWith(openHttp, clients) {
  return (options) => {
    const http = openHttp(options);
    const byName = new Map(clients.map(({ name, open }) => [name, open(options)]));
    const all = [http, ...byName.values()];
    return {
      connect(endpoint, bodies, generation) {
        const own = endpoint.client === undefined ? undefined : byName.get(endpoint.client);
        return own ? own.connect(endpoint, bodies) : http.connect(endpoint, bodies, generation);
      },
      totals: () => addTotals(all.map((one) => one.totals())),
      addresses: {
        toJSON: () => all.flatMap(({ addresses }) => addresses.toJSON()),
        reset: () => all.forEach(({ addresses }) => addresses.reset()),
      },
      async close() {
        await Promise.all(all.map((one) => one.close()));
      },
    };
  };
}
