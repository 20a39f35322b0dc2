// Plain undici: Client.dispatch with the old handler interface, one client per connection, only counting.
import { Client } from 'undici';

const [url, work, seconds, connections] = process.argv.slice(2);
const headers = { 'content-type': 'application/json' };
let requests = 0;
let errors = 0;
let index = 0;
let open = Number(connections);
let isOver = false;

const started = performance.now();
setTimeout(() => {
  isOver = true;
}, seconds * 1000);
for (let i = 0; i < connections; i++) runLane(new Client(url));

function runLane(client) {
  const nextOf = { 'plain-get': plainGet, 'put-get': putGet() };
  const next = nextOf[work];
  let status = 0;
  const handler = {
    onConnect() {},
    onHeaders(statusCode) {
      status = statusCode;
      return true;
    },
    onData() {
      return true;
    },
    onComplete() {
      if (status === 200) requests++;
      else errors++;
      send();
    },
    onError() {
      errors++;
      send();
    },
  };
  send();

  function send() {
    if (isOver) return leave(client);
    client.dispatch(next(), handler);
  }
}

function plainGet() {
  return { path: '/', method: 'GET' };
}

function putGet() {
  let path = '';
  return () => {
    if (path) {
      const get = { path, method: 'GET' };
      path = '';
      return get;
    }
    const i = index++;
    path = `/foo_${i}`;
    return { path, method: 'PUT', headers, body: JSON.stringify(`mydata_${i}`) };
  };
}

function leave(client) {
  client.destroy();
  if (--open > 0) return;
  const took = (performance.now() - started) / 1000;
  process.stdout.write(`${JSON.stringify({ requests, seconds: took, errors })}\n`);
}
