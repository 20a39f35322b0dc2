import { InvalidArgumentError } from 'commander';

import { usageError } from '../../../core/cli/usage-error.js';
import { hasFlowExtension } from '../../../core/flow/source/formats/index.js';

// The flag --grpc, which makes the URL of a call of a server and a method.

/** @type {(text: string) => string} */
export function readMethod(text) {
  if (/^\/?[\w.]+[/.]\w+$/.test(text)) return text.replace(/^\//, '');
  throw new InvalidArgumentError('Expected a method such as shop.Orders/Create.');
}

/** `localhost:50051`, `grpcs://api.test` or `https://api.test`. @type {(server: string, method: string) => string} */
export function urlOf(server, method) {
  const [, scheme = 'grpc', tls = '', host] = /^(?:(grpc|http)(s?):\/\/)?([^\s/?#]+)\/?$/i.exec(server) ?? [];
  if (host !== undefined && host !== '-' && !(hasFlowExtension(host) && scheme === 'grpc'))
    return `grpc${tls}://${host}/${method}`;
  throw usageError(`${server} is not a server: beside --grpc write its host and port, such as localhost:50051`);
}
