import http2 from 'node:http2';
import { createRequire } from 'node:module';

import { makeError } from '../../core/ground/errors.js';
import { openServer } from '../own-server/open.js';
import { writeAddress } from '../../core/http/url-parts.js';

const requireHere = createRequire(import.meta.url);

/** The service: an order is made, and watched as one order for each item, or five. */
const SHOP = `
syntax = "proto3"; package shop;
message Item { string sku = 1; int32 count = 2; }
message CreateRequest { string user = 1; repeated Item items = 2; }
message Order { string id = 1; CreateRequest request = 2; int64 created_at = 3; }
service Orders { rpc Create(CreateRequest) returns (Order); rpc Watch(CreateRequest) returns (stream Order); }
`;
/** The part of gRPC Server Reflection that clients ask first (v1 and v1alpha). */
const REFLECTION = `
syntax = "proto3"; package reflection;
message Request { string file_by_filename = 3; string file_containing_symbol = 4; string list_services = 7; }
message Files { repeated bytes file_descriptor_proto = 1; }
message Service { string name = 1; }
message Services { repeated Service service = 1; }
message Failure { int32 error_code = 1; string error_message = 2; }
message Response { Files file_descriptor_response = 4; Services list_services_response = 6; Failure error_response = 7; }
`;
/** The part of grpc.health.v1 that a check needs. */
const HEALTH = `
syntax = "proto3"; package health;
message Request { string service = 1; }
message Response { int32 status = 1; }
`;
const SERVING = 1;
const MESSAGES = 5;
const MESSAGE_HEAD = 5;
const MOST_BYTES = 4 * 1024 * 1024;
const [OK, RESOURCE_EXHAUSTED, UNIMPLEMENTED, INTERNAL] = [0, 8, 12, 13];
const NOT_FOUND = 5;

/** @typedef {(request: any) => object[]} Answer the messages of the response to one message */
/** @typedef {{ request: any, response: any, answer: Answer }} Method */

/**
 * Starts the embedded gRPC service, without TLS.
 * @throws {Error} E_TARGET if the package protobufjs is missing or the port is not available
 * @type {(place: { port: number, host?: string }) => Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function startGrpcTarget({ port, host = '127.0.0.1' }) {
  const methods = methodsOf(loadProtobuf());
  const server = http2.createServer();
  /** @type {Set<import('node:http2').ServerHttp2Session>} */
  const sessions = new Set();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session)).on('error', () => {});
  });
  server.on('stream', (stream, { ':path': path = '' }) => serve(stream, methods.get(path)));
  const { port: bound } = await openServer(/** @type {any} */ (server), { port, host, backlog: 4096 }).catch(
    (cause) => {
      throw makeError('E_TARGET', { problems: `cannot listen on ${host}:${port}: ${cause.message}` }, { cause });
    },
  );
  return {
    url: `grpc://${writeAddress(host, bound)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

function loadProtobuf() {
  try {
    return requireHere('protobufjs');
  } catch (cause) {
    const problems = '--grpc needs the package protobufjs: npm install --save-dev protobufjs';
    throw makeError('E_TARGET', { problems }, { cause });
  }
}

/** @type {(protobuf: any) => Map<string, Method>} */
function methodsOf(protobuf) {
  const { FileDescriptorProto } = requireHere('protobufjs/ext/descriptor');
  const [shop, reflection, health] = [SHOP, REFLECTION, HEALTH].map((text) =>
    protobuf.parse(text, { keepCase: true }).root.resolveAll(),
  );
  const [order, request] = ['Order', 'CreateRequest'].map((name) => shop.lookupType(`shop.${name}`));
  let orders = 0;
  /** @type {(request: any, id?: string) => object} */
  const orderOf = (given, id = `o-${++orders}`) => ({ id, request: given, created_at: Date.now() });
  const [described] = shop.toDescriptor('proto3').file.filter((/** @type {any} */ one) => one.service.length > 0);
  const file = FileDescriptorProto.encode(described).finish();
  /** @type {Answer} */
  const describe = ({ list_services: list, file_by_filename: name, file_containing_symbol: symbol }) => {
    if (list) return [{ list_services_response: { service: [{ name: 'shop.Orders' }] } }];
    if (name === described.name || /^shop\./.test(symbol))
      return [{ file_descriptor_response: { file_descriptor_proto: [file] } }];
    return [{ error_response: { error_code: NOT_FOUND, error_message: `there is no ${name || symbol}` } }];
  };
  const [asked, answered] = ['Request', 'Response'].map((name) => reflection.lookupType(`reflection.${name}`));
  const reflecting = { request: asked, response: answered, answer: describe };
  return new Map([
    ['/shop.Orders/Create', { request, response: order, answer: (given) => [orderOf(given)] }],
    [
      '/shop.Orders/Watch',
      {
        request,
        response: order,
        answer: (given) =>
          given.items.length > 0
            ? given.items.map((/** @type {{ sku: string }} */ { sku }) => orderOf(given, sku))
            : Array.from({ length: MESSAGES }, () => orderOf(given)),
      },
    ],
    ['/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', reflecting],
    ['/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo', reflecting],
    [
      '/grpc.health.v1.Health/Check',
      {
        request: health.lookupType('health.Request'),
        response: health.lookupType('health.Response'),
        answer: () => [{ status: SERVING }],
      },
    ],
  ]);
}

/** Answers each message of a call. @type {(stream: import('node:http2').ServerHttp2Stream, method?: Method) => void} */
function serve(stream, method) {
  stream.on('error', () => {});
  let status = method === undefined ? UNIMPLEMENTED : OK;
  /** @type {Buffer} */
  let bytes = Buffer.alloc(0);
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status }));
  if (method === undefined) {
    stream.resume().end();
    return;
  }
  const fail = (/** @type {number} */ code) => {
    status = code;
    stream.removeAllListeners('data').resume().end();
  };
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    while (bytes.length >= MESSAGE_HEAD) {
      const end = MESSAGE_HEAD + bytes.readUInt32BE(1);
      if (end > MOST_BYTES) return fail(RESOURCE_EXHAUSTED);
      if (bytes[0] !== 0) return fail(UNIMPLEMENTED);
      if (bytes.length < end) return undefined;
      try {
        const { request, response, answer } = method;
        const given = request.toObject(request.decode(bytes.subarray(MESSAGE_HEAD, end)), { defaults: true });
        for (const one of answer(given)) stream.write(framed(response.encode(response.fromObject(one)).finish()));
      } catch {
        return fail(INTERNAL);
      }
      bytes = bytes.subarray(end);
    }
    return undefined;
  });
  stream.on('end', () => stream.end());
}

/** @type {(content: Uint8Array) => Buffer} */
function framed(content) {
  const head = Buffer.alloc(MESSAGE_HEAD);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}
