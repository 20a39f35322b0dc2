// Imitates a language model behind an endpoint that is compatible with that of OpenAI: the first token after 40 ms, then
// one every 10 ms. It answers with as many tokens as `max_tokens`, and reports them if `stream_options` asks for it.
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const FIRST_MS = 40;
const GAP_MS = 10;

export async function answer(request, response) {
  const asked = await jsonOf(request);
  if (asked === null) {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'expected JSON', type: 'invalid_request_error' } }));
  } else await (asked.stream ? stream : complete)(asked, response);
}

async function stream(asked, response) {
  const { max_tokens: tokens = 16, stream_options: options } = asked;
  const about = describe(asked, 'chat.completion.chunk');
  const write = (data) => response.write(`data: ${data}\n\n`);
  const send = (choices, more) => write(JSON.stringify({ ...about, choices, ...more }));
  const delta = (content, reason = null) => send([{ index: 0, delta: content, finish_reason: reason }]);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  delta({ role: 'assistant', content: '' });
  for (let n = 1; n <= tokens && !response.destroyed; n++) {
    await wait(n === 1 ? FIRST_MS : GAP_MS);
    delta({ content: ` ${n}` });
  }
  delta({}, 'length');
  if (options?.include_usage) send([], { usage: usageOf(tokens) });
  write('[DONE]');
  response.end();
}

async function complete(asked, response) {
  const { max_tokens: tokens = 16 } = asked;
  await wait(FIRST_MS + (tokens - 1) * GAP_MS);
  const content = Array.from({ length: tokens }, (_, i) => ` ${i + 1}`).join('');
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'length' }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...describe(asked, 'chat.completion'), choices, usage: usageOf(tokens) }));
}

function describe({ model = 'mock' }, object) {
  return { id: 'chatcmpl-1', object, created: Math.floor(Date.now() / 1000), model };
}

function usageOf(tokens) {
  return { prompt_tokens: 8, completion_tokens: tokens, total_tokens: 8 + tokens };
}

async function jsonOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  createServer(answer).listen(process.env.PORT ?? 8001, '127.0.0.1');
