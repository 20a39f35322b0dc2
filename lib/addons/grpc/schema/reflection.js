import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads';

import { rootOfDescriptors, serviceIn } from './protos.js';

/** @import { Root } from 'protobufjs' */

/** How long a server may take to describe itself, ms. */
const MOST_MS = 5000;

/**
 * Asks a server for the types of a service (gRPC Server Reflection, v1 and v1alpha). A flow is compiled at once, so a
 * thread asks, and this one waits.
 * @throws {Error} with what to do: the server does not answer, or has no reflection
 * @type {(origin: string, method: string, tls: object) => Root}
 */
export function reflected(origin, method, tls) {
  return rootOfDescriptors(ask({ origin, tls, symbol: serviceIn(method) }));
}

/** @type {(question: { origin: string, tls: object, symbol: string }) => Buffer[]} */
function ask(question) {
  const { port1, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('reflection-thread.js', import.meta.url), {
    workerData: { ...question, port: port2, done, mostMs: MOST_MS },
    transferList: [port2],
  });
  // It answers, or is ended below.
  worker.on('error', () => {});
  worker.unref();
  Atomics.wait(done, 0, 0, MOST_MS + 1000);
  const { message } = receiveMessageOnPort(port1) ?? { message: { error: `did not answer within ${MOST_MS} ms` } };
  port1.close();
  void worker.terminate();
  if (message.error !== undefined)
    throw new Error(
      `${question.origin} has not described its types by reflection: ${message.error}; write proto with the .proto file`,
    );
  return message.files.map((/** @type {Uint8Array} */ one) => Buffer.from(one));
}
