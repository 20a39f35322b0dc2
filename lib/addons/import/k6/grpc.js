import { pathInFlow } from '../draft.js';
import { addOperation } from './operations.js';
import { Untranslated } from './render.js';
import { pathWithoutScheme } from './texts.js';
import { isKnown, isStructure, Native, object, sym, unknown } from './values.js';

/** @import { Script } from './script.js' */
/** @import { Node, Value } from './values.js' */

/** The module of gRPC. @type {(script: Script) => Record<string, Value>} */
export function ofGrpc(script) {
  const statuses =
    'OK Canceled Unknown InvalidArgument DeadlineExceeded NotFound AlreadyExists PermissionDenied ResourceExhausted FailedPrecondition Aborted OutOfRange Unimplemented Internal Unavailable DataLoss Unauthenticated'.split(
      ' ',
    );
  const named = statuses.map((one) => [
    `Status${one}`,
    one === 'Canceled' ? 'CANCELLED' : one.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase(),
  ]);
  const why = 'streams of gRPC are not followed: write an operation with grpc and stream';
  return {
    ...Object.fromEntries(named),
    Client: new Native('grpc.Client', () => grpcClient(script)),
    Stream: new Native('grpc.Stream', (_, node) => (script.leave(node, why), unknown(node, why))),
  };
}

/** @type {(script: Script) => Value} */
function grpcClient(script) {
  /** @type {Record<string, any>} */
  const own = { files: [], include: [], target: undefined, reflects: false };
  const call = new Native('invoke', ([method, message, params], node) =>
    invoke(script, { ...own, method, message, params }, node),
  );
  return object({
    load: new Native('load', ([folders, ...files]) => {
      own.files.push(...files.filter((one) => typeof one === 'string'));
      own.include.push(...(Array.isArray(folders) ? folders : []));
    }),
    loadProtoset: new Native('loadProtoset', ([file]) => void own.files.push(file)),
    connect: new Native('connect', ([address, params], node) => {
      const { plaintext } = isStructure(params) ? params : object();
      own.target = isKnown(plaintext)
        ? sym('template', { parts: [plaintext === true ? '' : 'grpcs://', address], node })
        : unknown(node);
    }),
    invoke: call,
    asyncInvoke: call,
    close: new Native('close', () => undefined),
  });
}

/** @type {(script: Script, given: Record<string, any>, node: Node) => Value} */
function invoke(script, { files, include, target, method, message, params }, node) {
  const response = addOperation(script, node, method, 'gRPC', ({ operation }) => {
    const { renderer } = script;
    if (target === undefined) throw new Untranslated(method, 'its client has no address');
    const name = renderer.text(method).replace(/^\//, '');
    const { metadata, timeout, tags } = isStructure(params) ? params : object();
    const protos = files.map((/** @type {string} */ one) =>
      pathInFlow(
        pathWithoutScheme([...include, '.'][0] === '.' || include.length === 0 ? one : `${include[0]}/${one}`),
        script.options,
      ),
    );
    Object.assign(operation, {
      grpc: name,
      target: renderer.text(target),
      ...(protos.length > 0 && { proto: protos.length === 1 ? protos[0] : protos }),
      ...(isStructure(tags) && typeof tags.name === 'string' && { name: tags.name }),
      message: renderer.json(message ?? object()),
      ...(isStructure(metadata) && {
        metadata: Object.fromEntries(Object.entries(metadata).map(([key, one]) => [key, renderer.text(one)])),
      }),
      ...(typeof timeout === 'string' && { timeout }),
    });
  });
  /** @type {any} */ (response).isGrpc = true;
  return response;
}
