import { pbkdf2Sync } from 'node:crypto';
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** A shop with a mistake that many services have: it signs each order in the thread that answers all requests. */
const products = Array.from({ length: 200 }, (_, id) => ({ id, name: `product ${id}`, price: 5 + (id % 40) }));

const server = http.createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://shop');
  await wait(2 + Math.random() * 6); // the database
  if (request.method === 'POST') return send(response, 201, sign(await bodyOf(request)));
  const id = /^\/products\/(\d+)$/.exec(pathname)?.[1];
  if (id) return send(response, 200, products[id % products.length]);
  return send(response, 200, products.slice(0, 20));
});
server.listen(process.env.PORT);

function sign(order) {
  const signature = pbkdf2Sync(JSON.stringify(order), 'shop', 80_000, 32, 'sha256').toString('hex');
  return { ...order, signature };
}

async function bodyOf(request) {
  const chunks = await request.toArray();
  return JSON.parse(Buffer.concat(chunks).toString());
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
