import { execFileSync } from 'node:child_process';

import { done } from './index.js';

/** Requests of k6 return their response, so another process waits for it. */
const SEND = `const [url, options] = JSON.parse(process.argv[1]);
fetch(url, options).then(async (response) => console.log(JSON.stringify([response.status, await response.text()])));`;

function send(method, url, body, { headers } = {}) {
  const given = JSON.stringify([url, { method, body, headers }]);
  const [status, text] = JSON.parse(execFileSync(process.execPath, ['-e', SEND, given], { encoding: 'utf8' }));
  done.requests.push(`${method} ${new URL(url).pathname} ${status}`);
  return { status, body: text, json: (name) => JSON.parse(text)[name] };
}

export default {
  get: (url, options) => send('GET', url, undefined, options),
  post: (url, body, options) => send('POST', url, body, options),
};
