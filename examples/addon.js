import { once } from 'node:events';
import { connect } from 'node:net';

import { defineAddon, defineCheck, defineProtocol, makeError, text } from 'bench-rest/addon';

/** Operations such as { line: 'line://localhost:7000', say: 'ping #{INDEX}', expect: { reply: 'pong' } }. */
const LINE = defineProtocol({
  key: 'line',
  scheme: 'line',
  about: 'a server that answers each line with a line',
  noun: { one: 'a line', many: 'lines' },
  properties: { say: { ...text, about: 'the line that is sent', isRequired: true } },
  body: 'say',
  checks: ['reply'],
  async open({ hostname, port }, { signal }) {
    const socket = connect({ host: hostname, port: Number(port) }).setEncoding('utf8');
    await once(socket, 'connect', { signal });
    return socket;
  },
  async call(socket, { say }, { signal }) {
    socket.write(`${say}\n`);
    let reply = '';
    while (!reply.endsWith('\n')) reply += (await once(socket, 'data', { signal }))[0];
    if (reply.startsWith('ERR')) throw makeError('E_LINE', { reply: reply.trim() });
    return { reply: reply.trim() };
  },
  close: (socket) => socket.destroy(),
});

/** expect: { reply: 'pong' } */
const REPLY = defineCheck({
  name: 'reply',
  ...text,
  about: 'the line that the server answers',
  read: ({ reply }) => reply,
});

export default defineAddon({
  door: 1,
  name: 'line',
  about: 'lines over TCP',
  protocols: [LINE],
  checks: [{ load: () => [REPLY] }],
  errors: [{ codes: { E_LINE: { message: 'the server refused the line: {reply}', kind: 'protocol' } } }],
});
