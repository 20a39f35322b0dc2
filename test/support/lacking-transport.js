import { TRANSPORTS } from '../../lib/core/transport/index.js';
import { NO_TRAFFIC } from '../../lib/core/transport/traffic.js';

/** Runs `story(name)` with a transport whose connections fail at once, without I/O: with `code`, in `send` or in `connect`. */
export async function lacking(code, story, { throws = false } = {}) {
  const error = () => Object.assign(new Error(`connect ${code} 127.0.0.1:1`), { code, syscall: 'connect' });
  const connection = {
    isDead: false,
    isConnecting: true,
    wasSent: false,
    wasReused: false,
    sawBytes: false,
    send: (request, needs, receiver) => receiver.onError(error()),
    abort() {},
    close() {},
  };
  const connect = () => {
    if (throws) throw error();
    return connection;
  };
  const addresses = { toJSON: () => [], reset() {} };
  const open = () => ({ connect, addresses, totals: () => NO_TRAFFIC, close: async () => {} });
  TRANSPORTS.push({ name: 'lacking', about: '', capabilities: [], load: async () => ({ open }) });
  try {
    return await story('lacking');
  } finally {
    TRANSPORTS.pop();
  }
}
