import dns from 'node:dns';
import { isMainThread } from 'node:worker_threads';

const { lookup } = dns;
let count = 0;

// in each worker the first lookup of app.test fails
if (!isMainThread) {
  dns.lookup = (hostname, options, callback) => {
    if (hostname !== 'app.test') return lookup(hostname, options, callback);
    const error = Object.assign(new Error('getaddrinfo EAI_AGAIN app.test'), {
      code: 'EAI_AGAIN',
      syscall: 'getaddrinfo',
    });
    return process.nextTick(callback, ...(count++ === 0 ? [error] : [null, [{ address: '127.0.0.1', family: 4 }]]));
  };
}

export default { main: ['/'] };
