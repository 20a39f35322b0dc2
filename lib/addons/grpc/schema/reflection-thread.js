import { workerData } from 'node:worker_threads';

import protobuf from 'protobufjs';

import { statusError } from '../flow/status.js';
import { open } from '../transport/index.js';
import { MESSAGE_HEAD } from '../transport/message-sink.js';
import { printable } from './details.js';
import { MOST_BYTES, MOST_FILES } from './protos.js';

/** @import { Response } from '../../../core/contracts/response.js' */
/** @import { CallTask } from '../types.js' */

/** Asks a server for what describes it, by calls as a run makes them, and sends it to the thread that waits. */

const { request, addresses, symbols, port, done } = workerData;

const TYPES = protobuf
  .parse(
    `
syntax = "proto3";
message Request { string host = 1; string file_by_filename = 3; string file_containing_symbol = 4; string list_services = 7; }
message Files { repeated bytes file_descriptor_proto = 1; }
message Service { string name = 1; }
message Services { repeated Service service = 1; }
message Failure { int32 error_code = 1; string error_message = 2; }
message Response { Files file_descriptor_response = 4; Services list_services_response = 6; Failure error_response = 7; }
message File { string name = 1; repeated string dependency = 3; }
`,
  )
  .root.resolveAll();
const [REQUEST, RESPONSE, FILE] = ['Request', 'Response', 'File'].map((name) => TYPES.lookupType(name));

const LIMITS = { maxBodySize: MOST_BYTES, maxHeaderSize: 64 * 1024, maxHeaderFields: 1000 };
const connection = open({ ...addresses, ...LIMITS }).connect(request.endpoint);

/** @type {(version: string) => Promise<Uint8Array[]>} */
async function filesBy(version) {
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  const take = (/** @type {any} */ response) => {
    for (const bytes of response.fileDescriptorResponse?.fileDescriptorProto ?? [])
      files.set(/** @type {any} */ (FILE.decode(bytes)).name, bytes);
  };
  const named = symbols ?? (await servicesBy(version));
  const answers = await ask(version, named.map(ofSymbol)).catch(async (error) => {
    if (isUnknown(error) || symbols === null) throw error;
    // With the types of all, the flow is refused with the name of the service that is meant.
    const all = (await servicesBy(version)).filter((name) => !name.startsWith('grpc.reflection.'));
    if (all.length === 0 || symbols.every((/** @type {string} */ name) => all.includes(name))) throw error;
    return ask(version, all.map(ofSymbol));
  });
  answers.forEach(take);
  for (let missing = missingIn(files); missing.length > 0; missing = missingIn(files)) {
    if (files.size > MOST_FILES) throw new Error(`it has more than ${MOST_FILES} files`);
    for (const answer of await ask(
      version,
      missing.map((fileByFilename) => ({ fileByFilename })),
    ))
      take(answer);
    const lacking = missing.find((name) => !files.has(name));
    if (lacking !== undefined) throw new Error(`it has no ${printable(lacking)}`);
  }
  // A set of descriptors has a field for each file.
  return [...files.values()].map((bytes) => Buffer.concat([fieldHead(bytes.length), bytes]));
}

/** @type {(symbol: string) => object} */
const ofSymbol = (symbol) => ({ fileContainingSymbol: symbol });

/** The names of all services. @type {(version: string) => Promise<string[]>} */
async function servicesBy(version) {
  const [{ listServicesResponse }] = await ask(version, [{ listServices: '*' }]);
  return listServicesResponse.service.map((/** @type {{ name: string }} */ { name }) => name);
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

/** Sends questions by one call. @type {(version: string, questions: object[]) => Promise<any[]>} */
async function ask(version, questions) {
  /** @type {CallTask} */
  const task = {
    kind: 'grpc',
    sendsFields: true,
    bytes: Buffer.concat(questions.map(framed)),
    decode: (bytes) => RESPONSE.decode(Buffer.from(bytes)),
    compression: null,
    answersStream: true,
    timeoutMs: null,
  };
  const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
  const response = await new Promise((/** @type {(response: Response) => void} */ resolve, reject) =>
    connection.send({ ...request, path, task }, 'body', { onResponse: resolve, onError: reject }),
  );
  const error = statusError(response);
  if (error !== null) throw error;
  const answers = /** @type {any[]} */ (response.value ?? []);
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  if (answers.length < questions.length) throw new Error('it has ended the call');
  for (const { errorResponse } of answers) if (errorResponse) throw new Error(printable(errorResponse.errorMessage));
  return answers;
}

/** @type {(question: object) => Buffer} */
function framed(question) {
  const content = REQUEST.encode(REQUEST.fromObject(question)).finish();
  const head = Buffer.alloc(MESSAGE_HEAD);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

/** @type {(error: any) => boolean} */
const isUnknown = ({ code }) => code === 'E_GRPC_UNIMPLEMENTED';

/** @type {any} */
let answer;
try {
  const files = await filesBy('v1').catch((error) => {
    if (!isUnknown(error)) throw error;
    return filesBy('v1alpha');
  });
  answer = { files };
} catch (error) {
  const { message } = /** @type {Error} */ (error);
  answer = { error: isUnknown(error) ? 'it has no reflection' : message };
}
port.postMessage(answer);
Atomics.store(done, 0, 1);
Atomics.notify(done, 0);
