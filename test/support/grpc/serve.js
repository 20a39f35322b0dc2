import grpc from '@grpc/grpc-js';

import { selfSigned } from '../certificate.js';
import { servingGrpc } from './server.js';

/** The service in a process of its own, with reflection: it prints its target, and ends with its stdin. */
const { isSecure, ...options } = JSON.parse(process.argv[2] ?? '{}');
const { key, cert } = selfSigned();
const credentials = isSecure
  ? {
      credentials: grpc.ServerCredentials.createSsl(null, [
        { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) },
      ]),
    }
  : {};
await servingGrpc(
  async (target) => {
    console.log(target);
    process.stdin.resume();
    await new Promise((resolve) => process.stdin.once('end', resolve));
  },
  { reflects: true, ...credentials, ...options },
);
process.exit();
