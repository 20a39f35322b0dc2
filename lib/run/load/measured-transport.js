import { usesWebSockets } from '../../flow/origins.js';
import { NO_TRAFFIC, UNTIMED, subtractTotals } from '../../transport/traffic.js';

/**
 * @import { Recorder } from '../../measure/recorder.js'
 * @import { Timings, Transport, TransportEntry, TransportOptions, TransportTotals } from '../../transport/types.js'
 * @import { RunOptions } from '../options/types.js'
 * @import { LoadPlan } from '../plan.js'
 */

/** The transport of one thread, whose times and traffic are measured except during the warm-up. */
export class MeasuredTransport {
  /** @type {Timings} */
  #measured;
  /** those of the transport: none while work is not measured @type {Timings} */
  #timings;
  /** of the warm-up @type {TransportTotals} */
  #unmeasured = NO_TRAFFIC;
  /** @type {Transport} */
  transport;

  /**
   * @param {Awaited<ReturnType<TransportEntry['load']>>['open']} open
   * @param {RunOptions} options
   * @param {object} context
   * @param {Recorder['histograms']} context.histograms
   * @param {number} context.turn of the first connection among the addresses of a name
   * @param {TransportOptions['onFirstRead']} [context.onFirstRead]
   */
  constructor(open, options, { histograms, turn, onFirstRead }) {
    const { connect, tls, ttfb } = histograms;
    this.#measured = { connect, tls, ttfb };
    this.#timings = { ...this.#measured };
    this.transport = open({
      ...options,
      timings: this.#timings,
      turn,
      onFirstRead,
      tracksLinks: options.log !== undefined,
    });
  }

  /**
   * Does work that is not measured.
   *
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async unmeasured(work) {
    const earlier = this.transport.totals();
    Object.assign(this.#timings, UNTIMED);
    const result = await work();
    Object.assign(this.#timings, this.#measured);
    this.#unmeasured = subtractTotals(this.transport.totals(), earlier);
    this.transport.addresses.reset();
    return result;
  }

  /** @returns {TransportTotals} without unmeasured work */
  totals() {
    return subtractTotals(this.transport.totals(), this.#unmeasured);
  }

  close() {
    return this.transport.close();
  }
}

/**
 * Loads the HTTP client of a plan, and the client of WebSockets if the flow has any.
 * @type {(plan: Pick<LoadPlan, 'flow' | 'transport'>) => Promise<Awaited<ReturnType<TransportEntry['load']>>['open']>}
 */
export async function loadTransport({ flow, transport }) {
  const { open } = await transport.load();
  if (!usesWebSockets(flow)) return open;
  const { withWebSockets } = await import('../../transport/ws/index.js');
  return withWebSockets(open);
}
