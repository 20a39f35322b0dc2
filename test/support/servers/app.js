// A server for tests of `start`: it listens on PORT, at the address in HOST_OF_APP, and reports what it hears. /status/N
// answers 503 to the first N requests; /die ends it with a stack trace; /fill writes megabytes to stdout first.
import { createServer } from 'node:http';

const { PORT, HOST_OF_APP, OWN_PORT } = process.env;
let asked = 0;

createServer(({ url }, response) => {
  const [, what, count] = url.split('/');
  if (what === 'status' && asked++ < Number(count)) response.statusCode = 503;
  if (what === 'die') throw new Error('the database is gone');
  if (what === 'fill') for (let i = 0; i < Number(count); i++) process.stdout.write('x'.repeat(1e6));
  response.end(JSON.stringify({ port: PORT, folder: process.cwd() }));
}).listen(OWN_PORT ?? PORT, HOST_OF_APP);
