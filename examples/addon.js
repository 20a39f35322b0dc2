import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

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
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect', { signal });
    return { socket, lines: createInterface({ input: socket })[Symbol.asyncIterator]() };
  },
  async call({ socket, lines }, { say }) {
    socket.write(`${say}\n`);
    const { value: reply = '', done } = await lines.next();
    if (done) throw makeError('E_LINE_END');
    if (reply.startsWith('ERR')) throw makeError('E_LINE', { reply });
    return { reply };
  },
  close: ({ socket }) => socket.destroy(),
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
  errors: [
    {
      codes: {
        E_LINE: { message: 'the server refused the line: {reply}', kind: 'protocol' },
        E_LINE_END: { message: 'the server closed the connection', kind: 'reset' },
      },
    },
  ],
});
