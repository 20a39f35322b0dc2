// Calls of gRPC by k6, each virtual user on a connection of its own.
import { Client, StatusOK, Stream } from 'k6/net/grpc';
import { Counter } from 'k6/metrics';

const client = new Client();
client.load([__ENV.FOLDER], 'orders.proto');
const errors = new Counter('failed_calls');
const calls = new Counter('calls');

export const options = { vus: Number(__ENV.USERS), duration: `${__ENV.SECONDS}s`, gracefulStop: '1s' };

export default function () {
  if (__ITER === 0) client.connect(__ENV.TARGET, { plaintext: true });
  if (__ENV.METHOD === 'Watch') {
    const stream = new Stream(client, 'shop.Orders/Watch');
    stream.on('error', () => errors.add(1));
    stream.on('end', () => calls.add(1));
    stream.write({ user: 'ann' });
    stream.end();
    return;
  }
  if (client.invoke(`shop.Orders/${__ENV.METHOD}`, { user: 'ann' }).status === StatusOK) calls.add(1);
  else errors.add(1);
}

/** @param {any} data */
export function handleSummary({ metrics, state }) {
  const countOf = (name) => metrics[name]?.values.count ?? 0;
  const figures = { calls: countOf('calls'), seconds: state.testRunDurationMs / 1000, errors: countOf('failed_calls') };
  return { stdout: JSON.stringify(figures) };
}
