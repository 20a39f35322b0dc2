import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads';

import { rootsOfAddons } from '../../../core/ground/addons.js';
import { rootOfDescriptors } from './protos.js';

/** @import { Root } from 'protobufjs' */
/** @import { TransportOptions } from '../../../core/contracts/connection.js' */
/** @import { Request } from '../../../core/contracts/request.js' */

/** How long a server may take to describe itself, ms. */
const MOST_MS = 5000;

/**
 * @typedef {object} Question
 * @property {Request} request leads to the server, with the fields of the calls
 * @property {Pick<TransportOptions, 'family' | 'connectTo' | 'resolver'>} addresses
 * @property {string[] | null} symbols services whose types are wanted; null: all
 */

/**
 * Asks a server for the types of services (gRPC Server Reflection, v1 and v1alpha). A flow is compiled at once, so a
 * thread asks, and this one waits.
 * @throws {Error} the server does not answer, or has no reflection
 * @type {(question: Question) => Root}
 */
export function reflected(question) {
  return rootOfDescriptors(ask(question));
}

/** @type {(question: Question) => Buffer[]} */
function ask(question) {
  const { port1, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('../../../core/process/thread.js', import.meta.url), {
    workerData: {
      roots: rootsOfAddons(),
      module: new URL('./reflection-thread.js', import.meta.url).href,
      ...question,
      port: port2,
      done,
    },
    transferList: [port2],
    execArgv: [],
  });
  // It answers, or is ended below.
  worker.on('error', () => {});
  worker.unref();
  Atomics.wait(done, 0, 0, MOST_MS);
  const { message } = receiveMessageOnPort(port1) ?? { message: { error: `no answer within ${MOST_MS} ms` } };
  port1.close();
  void worker.terminate();
  const { label } = question.request.endpoint;
  if (message.error !== undefined)
    throw new Error(`${label} has not described its types by reflection: ${message.error}`);
  return message.files.map((/** @type {Uint8Array} */ one) => Buffer.from(one));
}
