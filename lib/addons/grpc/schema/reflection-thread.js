import { connect } from 'node:http2';
import { workerData } from 'node:worker_threads';

import protobuf from 'protobufjs';

import { MESSAGE_HEAD } from '../transport/message-sink.js';
import { MOST_BYTES, MOST_FILES } from './protos.js';
import { STATUS_NAMES } from './statuses.js';

/** Asks a server for the files that describe a symbol, and sends them to the thread that waits. */

const { origin, tls, symbol, port, done, mostMs } = workerData;

const UNIMPLEMENTED = STATUS_NAMES.indexOf('UNIMPLEMENTED');

const TYPES = protobuf
  .parse(
    `
syntax = "proto3";
message Request { string host = 1; string file_by_filename = 3; string file_containing_symbol = 4; }
message Files { repeated bytes file_descriptor_proto = 1; }
message Failure { int32 error_code = 1; string error_message = 2; }
message Response { Files file_descriptor_response = 4; Failure error_response = 7; }
message File { string name = 1; repeated string dependency = 3; }
`,
  )
  .root.resolveAll();
const [REQUEST, RESPONSE, FILE] = ['Request', 'Response', 'File'].map((name) => TYPES.lookupType(name));

/** @type {(version: string) => Promise<Uint8Array[]>} */
async function answerOf(version) {
  const session = connect(origin, tls);
  const timer = setTimeout(() => session.destroy(new Error(`no answer within ${mostMs} ms`)), mostMs);
  /** @type {Promise<never>} */
  const failed = new Promise((_, reject) => session.once('error', reject));
  try {
    return await Promise.race([failed, conversation(new Questions(session, version))]);
  } finally {
    clearTimeout(timer);
    session.destroy();
  }
}

/** @type {(questions: Questions) => Promise<Uint8Array[]>} */
async function conversation(questions) {
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  const take = (/** @type {any} */ response) => {
    for (const bytes of response.fileDescriptorResponse?.fileDescriptorProto ?? [])
      files.set(/** @type {any} */ (FILE.decode(bytes)).name, bytes);
  };
  take(await questions.ask({ fileContainingSymbol: symbol }));
  for (let missing = missingIn(files); missing.length > 0; missing = missingIn(files)) {
    if (files.size > MOST_FILES) throw new Error(`it has more than ${MOST_FILES} files`);
    for (const name of missing) {
      take(await questions.ask({ fileByFilename: name }));
      if (!files.has(name)) throw new Error(`it has no ${name}`);
    }
  }
  // A set of descriptors has a field for each file.
  return [...files.values()].map((bytes) => Buffer.concat([fieldHead(bytes.length), bytes]));
}

/** The names of files that others import. @type {(files: Map<string, Uint8Array>) => string[]} */
function missingIn(files) {
  const needed = [...files.values()].flatMap((bytes) => /** @type {any} */ (FILE.decode(bytes)).dependency);
  return [...new Set(needed)].filter((name) => !files.has(name));
}

/** @type {(length: number) => Uint8Array} */
function fieldHead(length) {
  return protobuf.Writer.create().uint32(10).uint32(length).finish();
}

/** The questions of one stream, one after the other. */
class Questions {
  #stream;
  #bytes = Buffer.alloc(0);
  /** @type {((response: any) => void) | null} */
  #resolve = null;
  #failed;

  /** @param {import('node:http2').ClientHttp2Session} session @param {string} version */
  constructor(session, version) {
    this.#stream = session.request({
      ':method': 'POST',
      ':path': `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    this.#failed = new Promise((_, reject) => {
      const end = (/** @type {any} */ headers) => {
        const status = Number(headers['grpc-status'] ?? 0);
        const text =
          headers[':status'] === 200 || headers[':status'] === undefined ? '' : `status ${headers[':status']}`;
        if (status !== 0 || text !== '')
          reject(Object.assign(new Error(text || headers['grpc-message'] || `status ${status}`), { status }));
      };
      this.#stream.on('response', end).on('trailers', end).on('error', reject);
      this.#stream.on('end', () => reject(new Error('it has ended the call')));
    });
    // It is awaited with each question.
    this.#failed.catch(() => {});
    this.#stream.on('data', (/** @type {Buffer} */ bytes) => {
      try {
        this.#take(bytes);
      } catch (error) {
        this.#stream.destroy(/** @type {Error} */ (error));
      }
    });
  }

  /** @type {(question: object) => Promise<any>} */
  async ask(question) {
    const content = REQUEST.encode(REQUEST.fromObject(question)).finish();
    const head = Buffer.alloc(MESSAGE_HEAD);
    head.writeUInt32BE(content.length, 1);
    this.#stream.write(Buffer.concat([head, content]));
    const response = await Promise.race([this.#failed, new Promise((resolve) => (this.#resolve = resolve))]);
    if (response.errorResponse) throw new Error(response.errorResponse.errorMessage);
    return response;
  }

  /** @type {(bytes: Buffer) => void} */
  #take(bytes) {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    if (this.#bytes.length < MESSAGE_HEAD) return;
    const end = MESSAGE_HEAD + this.#bytes.readUInt32BE(1);
    if (this.#bytes[0] !== 0 || end > MOST_BYTES) throw new Error('its answer is none of reflection');
    if (this.#bytes.length < end) return;
    const response = RESPONSE.decode(this.#bytes.subarray(MESSAGE_HEAD, end));
    this.#bytes = this.#bytes.subarray(end);
    this.#resolve?.(response);
  }
}

/** @type {any} */
let answer;
try {
  const files = await answerOf('v1').catch((error) => {
    if (error.status !== UNIMPLEMENTED) throw error;
    return answerOf('v1alpha');
  });
  answer = { files };
} catch (error) {
  const { message, status } = /** @type {any} */ (error);
  answer = { error: status === UNIMPLEMENTED ? 'it has no reflection' : message };
}
port.postMessage(answer);
Atomics.store(done, 0, 1);
Atomics.notify(done, 0);
