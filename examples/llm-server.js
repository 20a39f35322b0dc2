// Imitates a language model behind an endpoint that is compatible with that of OpenAI: the first token after 40 ms, then
// one every 10 ms. It answers with as many tokens as `max_tokens`, and reports them if `stream_options` asks for it.
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const FIRST_MS = 40;
const GAP_MS = 10;

export async function answer(request, response) {
  const { max_tokens: tokens = 16, stream_options: options } = await jsonOf(request);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (data) => response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  send({ choices: [{ delta: { role: 'assistant', content: '' } }] });
  for (let n = 1; n <= tokens && !response.destroyed; n++) {
    await wait(n === 1 ? FIRST_MS : GAP_MS);
    send({ choices: [{ delta: { content: ` ${n}` } }] });
  }
  send({ choices: [{ delta: {}, finish_reason: 'length' }] });
  if (options?.include_usage) send({ choices: [], usage: { completion_tokens: tokens } });
  send('[DONE]');
  response.end();
}

async function jsonOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  createServer(answer).listen(process.env.PORT ?? 8001, '127.0.0.1');
