import { gzipSync } from 'node:zlib';

import { makeError } from '../../../core/ground/errors.js';
import { asHttp } from '../../../core/http/schemes.js';
import { TLS_PROPERTIES } from '../../../core/http/tls-properties.js';
import { splitUnixSocket } from '../../../core/http/url-parts.js';
import { Placeholder } from '../../../core/flow/placeholder.js';
import { isPlainObject } from '../../../core/flow/record.js';
import { compileTemplate } from '../../../core/flow/template.js';
import { formatValue } from '../../../core/text/format-value.js';
import { refuseMessage } from '../schema/check-message.js';
import { decoderOf, encoderOf, nameOf } from '../schema/json-mapping.js';
import { INSTALL, loadProtobuf, methodNamed, readProtos, serviceIn } from '../schema/protos.js';
import { reflected } from '../schema/reflection.js';
import { MESSAGE_HEAD } from '../transport/message-sink.js';
import { NAME, methodIn } from './index.js';
import { statusError } from './status.js';

/** @import { Root } from 'protobufjs' */
/** @import { Request } from '../../../core/contracts/request.js' */
/** @import { Operation, Step, StepReader } from '../../../core/contracts/step.js' */
/** @import { Complain } from '../../../core/ground/types.js' */
/** @import { Endpoint } from '../../../core/http/endpoint.js' */
/** @import { OperationCompiler } from '../../../core/flow/operation-compiler.js' */
/** @import { Rpc } from '../schema/protos.js' */
/** @import { CallTask } from '../types.js' */

/** The properties of calls, which are none of the request that is compiled from them. */
const OWN = ['grpc', 'target', 'proto', 'message', 'metadata', 'compression'];

/**
 * Compiles a call to the step of a request: POST with JSON over HTTP/2. Its connection writes the JSON as messages, and
 * reads those of the response as JSON, so that hooks, checks, captures and streams are those of HTTP.
 * @type {(compiler: OperationCompiler) => Step[]}
 */
export function grpcSteps(compiler) {
  const { valid, place } = compiler;
  refuseTarget(valid, compiler.run.baseUrl, place.complain);
  compiler.headers = { ...compiler.headers, ...metadataOf(valid.metadata, place) };
  const rpc = rpcOf(compiler);
  if (rpc !== null) refuseMessages(valid.message ?? {}, rpc, place.complain);
  const { compression, timeout } = valid;
  const statuses = [valid.expect].flat().flatMap((one) => one?.status ?? []);
  compiler.place = renamedIn(place);
  // Hooks get it as a request, too.
  compiler.given = requestOf(compiler.given, compiler, rpc);
  // A check asks for it.
  compiler.valid = { ...requestOf(valid, compiler, rpc), grpc: valid.grpc };
  const step = compiler.requestStep();
  const { encode, decode } = rpc === null ? NO_CODEC : codecOf(rpc, compression);
  /** @type {Omit<CallTask, 'bytes'>} */
  const task = {
    kind: NAME,
    sendsFields: true,
    decode,
    compression: compression ?? null,
    answersStream: rpc?.answersStream === true,
    timeoutMs: timeout === undefined ? null : step.timeoutMs,
  };
  const toCall = callsOf(task, encode);
  return [
    {
      ...step,
      request: step.request && toCall(step.request),
      render: (scope) => toCall(step.render(scope)),
      renderOptions: (options, scope, shown) => {
        const { request, rules } = step.renderOptions(options, scope, shown);
        return { request: toCall(request), rules };
      },
      // A status that is expected, or another one in its place, is a check.
      fault: statuses.length > 0 ? null : statusError,
      reader: step.reader && withStatus(step.reader, statuses.length > 0),
    },
  ];
}

/** The properties of the request, by which a flow has them. @type {Record<string, string>} */
const WRITTEN = { post: 'grpc', json: 'message' };

/** @typedef {OperationCompiler['place']} Place */

/** Names properties in problems as the flow does. @type {(place: Place) => Place} */
function renamedIn(place) {
  const written = (/** @type {string} */ key) => key.replace(/^(?:post|json)\b/, (name) => WRITTEN[name]);
  return {
    ...place,
    mark: (text, key, at) => place.mark(text, written(key), at),
    complain: (key, reason) => place.complain(written(key), reason),
    refuse: (key, reason) => place.refuse(written(key), reason),
  };
}

/** @typedef {Pick<CallTask, 'decode'> & { encode: (json: string) => Buffer }} Codec of the messages of a method */

/** @type {Codec} */
const NO_CODEC = { encode: () => Buffer.alloc(0), decode: () => null };

/** @type {(rpc: Rpc, compression: string | undefined) => Codec} */
function codecOf({ request, response, sendsStream }, compression) {
  const encode = encoderOf(request);
  const decode = decoderOf(response);
  return {
    encode(json) {
      try {
        const value = json === '' ? {} : JSON.parse(json);
        const all = sendsStream ? [value].flat() : [value];
        const [refusal] = all.flatMap((one) => refuseMessage(one, request));
        if (refusal !== undefined) throw new Error(`${refusal.at?.slice(1) || 'it'}: ${refusal.reason}`);
        return Buffer.concat(all.map((one) => framed(encode(one), compression)));
      } catch (error) {
        const { message: reason } = /** @type {Error} */ (error);
        throw makeError('E_GRPC_MESSAGE', { type: nameOf(request), reason }, { cause: error });
      }
    },
    decode(bytes) {
      try {
        return decode(bytes);
      } catch (error) {
        const { message } = /** @type {Error} */ (error);
        throw makeError('E_GRPC_PROTOCOL', { reason: `a message that is no ${nameOf(response)}: ${message}` });
      }
    },
  };
}

/** @type {(message: Buffer, compression: string | undefined) => Buffer} */
function framed(message, compression) {
  const content = compression === undefined ? message : gzipSync(message);
  const bytes = Buffer.allocUnsafe(MESSAGE_HEAD + content.length);
  bytes[0] = compression === undefined ? 0 : 1;
  bytes.writeUInt32BE(content.length, 1);
  bytes.set(content, MESSAGE_HEAD);
  return bytes;
}

/**
 * Returns the request of a call: an operation of HTTP.
 * @type {(operation: Operation, compiler: OperationCompiler, rpc: Rpc | null) => Operation}
 */
function requestOf(operation, { run }, rpc) {
  const shared = Object.fromEntries(Object.entries(operation).filter(([key]) => !OWN.includes(key)));
  const target = targetOf(operation, run.baseUrl);
  const { message = {}, expect, stream = rpc?.answersStream === true ? true : undefined } = operation;
  return {
    ...shared,
    post: `${target ?? 'http://localhost'}/${rpc?.path ?? methodIn(operation.grpc)}`,
    http2: http2Of(target ?? ''),
    json: message,
    ...(stream !== undefined && { stream: streamOf(stream) }),
    ...(expect !== undefined && { expect: Array.isArray(expect) ? expect.map(expectOf) : expectOf(expect) }),
    gzip: false,
  };
}

/** The origin at the start of a URL of any scheme. */
const HAS_ORIGIN = /^[a-z][a-z+.-]*:\/\/[^/]*/i;

/** Returns the origin with http in place of grpc. @type {(operation: Operation, baseUrl?: string) => string | null} */
function targetOf({ grpc, target }, baseUrl) {
  const [own] = HAS_ORIGIN.exec(grpc) ?? [];
  const given = own ?? target ?? baseUrl;
  if (given === undefined) return null;
  const url = HAS_ORIGIN.test(given) ? asHttp(given) : `http://${given}`;
  return url.replace(/\/+$/, '');
}

/** @type {(target: string) => Operation['http2']} */
function http2Of(target) {
  return /^https:/i.test(target) ? 'only' : 'prior-knowledge';
}

/**
 * A call has the path of its method and nothing else.
 * @type {(operation: Operation, baseUrl: string | undefined, complain: Complain) => void}
 */
function refuseTarget(operation, baseUrl, complain) {
  const target = targetOf(operation, baseUrl);
  if (target === null) return complain('grpc', 'has no server: write target, or baseUrl');
  const url = splitUnixSocket(target)?.url ?? target;
  const [, rest] = /^[a-z]+:\/\/(?:#[{<][^}>]*[}>]|[^/?#])*(.*)$/is.exec(url) ?? [];
  if (!rest || rest === '/') return undefined;
  const key = operation.target === undefined ? 'grpc' : 'target';
  return complain(
    key,
    `${formatValue(rest)} after the server has no meaning for a gRPC call: write target with host and port`,
  );
}

/** Messages are lines of JSON, of which each is an event. @type {(stream: any) => any} */
function streamOf(stream) {
  return stream === false ? false : { ...(isPlainObject(stream) && stream), kind: 'ndjson' };
}

/** The status of a call is a check of its own. @type {(expectation: any) => any} */
function expectOf({ status, ...others }) {
  return status === undefined ? others : { grpcStatus: status, ...others };
}

/**
 * The fields of a request that are metadata, with marks for tokens.
 * @type {(metadata: Record<string, any> | undefined, place: OperationCompiler['place']) => Record<string, unknown>}
 */
function metadataOf(metadata = {}, { mark }) {
  const textOf = (/** @type {any} */ value, /** @type {string} */ name) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : mark(String(value), `metadata.${name}`);
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((one) => textOf(one, name)) : textOf(value, name),
    ]),
  );
}

/**
 * Writes requests as calls, with the bytes of their messages. Each endpoint of HTTP has one of this protocol.
 * @throws {Error} E_GRPC_MESSAGE
 * @type {(task: Omit<CallTask, 'bytes'>, encode: (json: string) => Buffer) => (request: Request) => Request}
 */
function callsOf(task, encode) {
  /** @type {WeakMap<Endpoint, Endpoint>} */
  const known = new WeakMap();
  return (request) => {
    const endpoint = known.get(request.endpoint) ?? {
      ...request.endpoint,
      key: `${request.endpoint.key} ${NAME}`,
      client: NAME,
    };
    known.set(request.endpoint, endpoint);
    return { ...request, endpoint, task: { ...task, bytes: encode(String(request.body ?? '')) } };
  };
}

/** A stream ends with a status, too. @type {(reader: StepReader, isExpected: boolean) => StepReader} */
function withStatus(reader, isExpected) {
  if (isExpected) return reader;
  return {
    ...reader,
    plan(step, context, operation) {
      const plan = /** @type {import('../../../core/iteration/types.js').ReadingPlan} */ (
        reader.plan(step, context, operation)
      );
      const errorOf = plan.errorOf.bind(plan);
      plan.errorOf = (read, response) => statusError(response) ?? errorOf(read, response);
      return plan;
    },
  };
}

/** Finds a method by proto or from the server; null: refused. @type {(compiler: OperationCompiler) => Rpc | null} */
function rpcOf(compiler) {
  const { valid } = compiler;
  const { complain } = compiler.place;
  if (loadProtobuf() === null) {
    complain('grpc', `needs the package protobufjs: ${INSTALL}`);
    return null;
  }
  const root = rootOf(compiler);
  if (root === null) return null;
  const rpc = methodNamed(root, methodIn(valid.grpc));
  if (typeof rpc !== 'string') return rpc;
  complain('grpc', rpc);
  return null;
}

/** What the operations of a flow have read, by their `proto`. @type {WeakMap<object, Map<string, Root | null>>} */
const ROOTS = new WeakMap();

/** @type {(compiler: OperationCompiler) => Root | null} */
function rootOf(compiler) {
  const { valid, run } = compiler;
  const { complain } = compiler.place;
  const { proto } = valid;
  /** @type {(key: unknown[], read: () => Root) => Root | null} */
  const known = (parts, read) => {
    const ofRun = ROOTS.get(run) ?? new Map();
    ROOTS.set(run, ofRun);
    const key = JSON.stringify(parts);
    if (!ofRun.has(key)) ofRun.set(key, read());
    return ofRun.get(key);
  };
  try {
    if (proto === undefined) {
      if (run.askLater !== undefined) {
        run.askLater();
        return null;
      }
      const request = askingRequest(compiler);
      if (request === null) return null;
      const symbol = serviceIn(methodIn(valid.grpc));
      return known([request.endpoint.key, symbol], () =>
        reflected({ request, addresses: run.addresses, symbols: [symbol] }),
      );
    }
    const { file, include = [] } = typeof proto === 'object' && !Array.isArray(proto) ? proto : { file: proto };
    return known([proto], () => readProtos([file].flat(), { folder: run.folder, include: [include].flat() }));
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    complain('proto', proto === undefined ? `${message}; write proto with the .proto file` : message);
    return null;
  }
}

/** The properties by which a call reaches its server. */
const REACHING = new Set([
  ...['auth', 'socketPath', 'localAddress', 'proxy', 'tunnel', 'rejectUnauthorized', 'strictSSL'],
  ...Object.keys(TLS_PROPERTIES),
]);

/**
 * Returns the request that asks for types: on the way of the calls, with their fields that have one value. Null: calls
 * are refused, too, or their way is known only later.
 * @type {(compiler: OperationCompiler) => Request | null}
 */
function askingRequest(compiler) {
  const { valid, place, headers, run } = compiler;
  const target = targetOf(valid, run.baseUrl);
  if (target === null) return null;
  let isRefused = false;
  compiler.place = { ...place, complain: () => void (isRefused = true) };
  compiler.headers = Object.fromEntries(
    Object.entries(headers).filter(([, value]) => [value].flat().every(isConstant)),
  );
  const reaching = Object.entries(valid).filter(([key]) => REACHING.has(key));
  compiler.valid = { ...Object.fromEntries(reaching), post: `${target}/`, http2: http2Of(target), gzip: false };
  const { isConstant: isKnown, render } = compiler.compileRequest();
  Object.assign(compiler, { valid, place, headers });
  if (isKnown) return isRefused ? null : render({});
  if (!isRefused)
    place.complain('proto', 'is missing, and the server that could be asked is known only during the run');
  return null;
}

/** @type {(value: unknown) => boolean} */
function isConstant(value) {
  return typeof value === 'string' && typeof compileTemplate(value) === 'string';
}

/** @type {(message: any, rpc: Rpc, complain: (key: string, reason: string) => void) => void} */
function refuseMessages(message, { request, sendsStream, path }, complain) {
  if (message instanceof Placeholder) return;
  if (Array.isArray(message) && !sendsStream) {
    complain('message', `is a list, and ${path} reads one message`);
    return;
  }
  const all = Array.isArray(message) ? message : [message];
  all.forEach((one, i) => {
    for (const { at = '', reason } of refuseMessage(one, request))
      complain(`message${Array.isArray(message) ? `[${i}]` : ''}${at}`, reason);
  });
}
