import { protocolsOf } from '../../flow/origins.js';
import { NO_TRAFFIC, UNTIMED, addTotals, countedLate, subtractTotals } from '../../transport/traffic.js';

/** @import { Timings, Transport, TransportClient, TransportOptions } from '../../contracts/connection.js' */
/** @import { TransportTotals } from '../../contracts/connection.js' */
/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { AddressFigures } from '../../contracts/stats.js' */
/** @import { Recorder } from '../../measure/recorder.js' */
/** @import { LoadPlan } from '../types.js' */

/** The transport of one thread, whose times and traffic are measured while the iterations of the run go on. */
export class MeasuredTransport {
  /** @type {Timings} */
  #measured;
  /** Recorders of times: the transport keeps this object, so `begin` replaces its properties. @type {Timings} */
  #timings = { ...UNTIMED };
  /** The traffic before the measured iterations; null: they have not begun. @type {TransportTotals | null} */
  #before = null;
  /** What was measured; null: it goes on. @type {{ totals: TransportTotals, addresses: AddressFigures[] } | null} */
  #measuredTraffic = null;
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
   * @param {boolean} context.tracksLinks
   */
  constructor(open, options, { histograms, turn, connections, reads, tracksLinks }) {
    const { connect, tls, ttfb } = histograms;
    this.#measured = { connect, tls, ttfb };
    this.transport = open({
      ...options,
      timings: this.#timings,
      turn,
      connections,
      reads,
      tracksLinks,
    });
  }

  /** The measured iterations begin. */
  begin() {
    Object.assign(this.#timings, this.#measured);
    this.#before = this.transport.totals();
    this.transport.addresses.reset();
  }

  /** They have ended. */
  end() {
    this.#measuredTraffic = { totals: this.totals(), addresses: this.addresses().map((one) => ({ ...one })) };
    Object.assign(this.#timings, UNTIMED);
  }

  /** Returns the traffic of the measured iterations. @type {() => TransportTotals} */
  totals() {
    if (this.#before === null) return NO_TRAFFIC;
    const now = subtractTotals(this.transport.totals(), this.#before);
    return { ...now, ...this.#measuredTraffic?.totals, ...countedLate(now) };
  }

  /** Returns the addresses of names that have several, of the measured iterations. @type {() => AddressFigures[]} */
  addresses() {
    return this.#measuredTraffic?.addresses ?? this.transport.addresses.toJSON();
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
