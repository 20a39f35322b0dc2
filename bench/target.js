import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSigned } from '../test/support/certificate.js';
import { end, programPath, start } from './processes.js';

const targetCpu = 1;
/** bytes of /large, and of the body that is sent */
const LARGE = 100_000;

/** Starts a target: nginx if it is installed, else the embedded one. { name, url, ...others?, close() }; others: URLs of its ports for TLS, and for HTTP/2 without and with TLS */
export async function startTarget() {
  const nginx = programPath('nginx');
  return nginx ? startNginx(nginx) : startEmbedded();
}

async function startNginx(program) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-nginx-'));
  const ports = { http: await freePort(), tls: await freePort(), h2c: await freePort(), h2: await freePort() };
  const { key, cert } = selfSigned();
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'cert.pem'), cert);
  const body = join(folder, 'large');
  writeFileSync(body, Buffer.alloc(LARGE, 'x'));
  const conf = join(folder, 'nginx.conf');
  writeFileSync(conf, nginxConf(folder, ports));
  const child = start([program, '-p', folder, '-e', 'stderr', '-c', conf], { cpu: targetCpu });
  const close = async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [url, h2c] = [ports.http, ports.h2c].map((port) => `http://127.0.0.1:${port}`);
  const [tls, h2] = [ports.tls, ports.h2].map((port) => `https://127.0.0.1:${port}`);
  try {
    await answering(child, url);
  } catch (err) {
    await close();
    throw err;
  }
  return { name: 'nginx, 1 worker', url, tls, h2c, h2, body, close };
}

// One process (master_process off), so that its id is enough to terminate it. `return` answers every
// method alike and discards the body of a PUT.
function nginxConf(folder, ports) {
  return `
daemon off;
master_process off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr crit;
worker_rlimit_nofile 20000;
events { worker_connections 18000; }
http {
  access_log off;
  default_type text/plain;
  keepalive_requests 1000000000;
  keepalive_time 24h;
  keepalive_timeout 1h;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${ports.http} backlog=4096;
    listen 127.0.0.1:${ports.tls} ssl backlog=4096;
    listen 127.0.0.1:${ports.h2c} http2 backlog=4096;
    listen 127.0.0.1:${ports.h2} ssl http2 backlog=4096;
    http2_max_concurrent_streams 256;
    client_body_buffer_size 256k;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    root ${folder};
    location / { return 200 'hello'; }
    location = /large { open_file_cache max=1; }
    # \`return\` answers a request of HTTP/2 before its body: only a proxy reads all of it.
    location = /upload { proxy_pass http://127.0.0.1:${ports.http}/; proxy_http_version 1.1; proxy_set_header Connection ""; }
    location = /items { default_type application/json; return 201 '{"id":"$request_id","name":"item"}'; }
    location /login { add_header Set-Cookie 'session=0123456789abcdef; Path=/; HttpOnly'; return 200 'hello'; }
    location /doc { add_header ETag '"0123456789abcdef"'; return 200 'hello'; }
  }
}
`;
}

/** Starts a server of WebSockets that echoes. { name, url, close() } */
export async function startEcho() {
  return startScript('echo.js', 'an echo of ws');
}

async function startEmbedded() {
  return startScript('target.js', 'the embedded target (nginx is not installed, so the target may be the limit)');
}

async function startScript(name, about) {
  const script = fileURLToPath(new URL(`clients/${name}`, import.meta.url));
  const child = start([process.execPath, script], { cpu: targetCpu, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const url = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${about} ended early (${code})`)));
  });
  return {
    name: about,
    url,
    close: () => end(child),
  };
}

/** A port that was free a moment ago. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function answering(child, url) {
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.resume();
  for (let i = 0; i < 100 && child.exitCode === null; i++) {
    try {
      await (await fetch(url)).text();
      return;
    } catch {
      await sleep(50); // not listening yet
    }
  }
  throw new Error(`nginx did not answer at ${url}: ${stderr.trim()}`);
}
