// The least that a client of Node can do: callbacks of node:net or node:tls, the requests of a turn written together, and of
// a response only its status read. It relies on a server that sends each response in one piece.
import net from 'node:net';
import tls from 'node:tls';

const [url, work, seconds, connections] = process.argv.slice(2);
const { protocol, hostname, port, host } = new URL(url);
const connect = protocol === 'https:' ? tls.connect : net.connect;
const buffer = Buffer.allocUnsafe(65_536);
const SPACE = ' '.charCodeAt(0);
const TWO = '2'.charCodeAt(0);
const PLAIN = `GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`;

let due = [];
let requests = 0;
let errors = 0;
let index = 0;
let open = Number(connections);

const started = performance.now();
const endsAt = started + seconds * 1000;
for (let i = 0; i < connections; i++) runLane(work === 'put-get' ? putGet() : () => PLAIN);

function runLane(next) {
  const onread = { buffer, callback };
  const socket = connect({ host: hostname, port, noDelay: true, rejectUnauthorized: false, onread }, ask);
  const lane = { flush: () => socket.write(next(), 'latin1') };

  function callback() {
    if (buffer[8] === SPACE && buffer[9] === TWO) requests++;
    else errors++;
    if (performance.now() < endsAt) ask();
    else leave(socket);
    return true;
  }

  function ask() {
    if (due.push(lane) === 1) setImmediate(flush);
  }
}

function flush() {
  const lanes = due;
  due = [];
  for (const lane of lanes) lane.flush();
}

function putGet() {
  let path = '';
  return () => {
    if (path) {
      const get = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`;
      path = '';
      return get;
    }
    const i = index++;
    path = `/foo_${i}`;
    const body = `"mydata_${i}"`;
    return `PUT ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  };
}

function leave(socket) {
  socket.destroy();
  if (--open > 0) return;
  const took = (performance.now() - started) / 1000;
  process.stdout.write(`${JSON.stringify({ requests, seconds: took, errors })}\n`);
}
