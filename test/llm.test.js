import http from 'node:http';

import { expect } from 'chai';
import { parse } from 'yaml';

import { answer } from '../examples/llm-server.js';
import benchrest from '../index.js';
import { compileStream } from '../lib/addons/streams/flow/stream.js';
import { StreamPlan } from '../lib/addons/streams/iteration/stream-plan.js';
import { StreamRecorder } from '../lib/addons/streams/measure/streams.js';
import { ROOT } from './support/command.js';
import { textOf } from './support/documents.js';
import { seeded } from './support/random.js';
import { listen, shut } from './support/serve.js';

const STREAM = {
  kind: 'sse',
  first: '$.choices[0].delta.content',
  count: '$.usage.completion_tokens',
  end: '[DONE]',
};

describe('a language model', () => {
  it('examples/llm.yaml measures the tokens of examples/llm-server.js', async () => {
    const server = http.createServer(answer);
    const baseUrl = await listen(server);
    try {
      const { stats } = await benchrest(`${ROOT}/examples/llm.yaml`, {
        baseUrl,
        limit: 2,
        iterations: 4,
        title: 'llm',
      });
      expect(stats.errors.details).to.deep.equal([]);
      const [{ stream }] = stats.operations;
      expect(stream).to.include({ count: 4, events: 4 * 32, counted: 4 * 32 });
      expect(stream.firstEvent.min).to.be.at.least(39);
      expect(stream.meanGap.min).to.be.at.least(9);
      expect(stats.thresholds.map(({ passed }) => passed)).to.deep.equal([true, true]);
      expect(stats.connections).to.include({ opened: 2, closedByServer: 0 });
    } finally {
      await shut(server);
    }
  });
});

/** The list of endpoints in docs/guide/streams.md. */
const ROWS = textOf('docs/guide/streams.md').matchAll(/^- (.+?): `(\{ kind: .*\})`$/gm);
const STREAMS = Object.fromEntries(Array.from(ROWS, ([, name, stream]) => [name, parse(stream)]));

/** Events as the documents of each service have them: two texts, and the tokens at the end. */
const ENDPOINTS = {
  'OpenAI `/v1/responses`': {
    events: [
      { type: 'response.created', response: { usage: null } },
      { type: 'response.output_text.delta', delta: 'a' },
      { type: 'response.output_text.delta', delta: 'b' },
      { type: 'response.completed', response: { usage: { output_tokens: 7 } } },
    ],
  },
  'Anthropic `/v1/messages`': {
    events: [
      { type: 'message_start', message: { usage: { output_tokens: 1 } } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'a' } },
      { type: 'ping' },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'b' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
    ],
  },
  'Ollama `/api/chat`': {
    events: [
      { message: { content: 'a' }, done: false },
      { message: { content: 'b' }, done: false },
      { message: { content: '' }, done: true, eval_count: 7 },
    ],
  },
  '[AI SDK](https://ai-sdk.dev), messages of a UI': {
    events: [
      { type: 'start' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'a' },
      { type: 'text-delta', id: '1', delta: 'b' },
      { type: 'finish' },
    ],
    end: '[DONE]',
  },
};

describe('the events of other endpoints', () => {
  for (const [name, { events, end }] of Object.entries(ENDPOINTS))
    it(`${name}: the texts count, and the tokens are read`, async () => {
      const stream = STREAMS[name];
      const server = http.createServer((_, response) => {
        const lines = [...events.map((event) => JSON.stringify(event)), ...(end ? [end] : [])];
        response.end(lines.map((line) => (stream.kind === 'sse' ? `data: ${line}\n\n` : `${line}\n`)).join(''));
      });
      const baseUrl = await listen(server);
      try {
        const { stats } = await benchrest({ baseUrl, main: [{ get: '/', stream }] }, { limit: 1, iterations: 2 });
        expect(stats.errors.details).to.deep.equal([]);
        const { counted } = stats.operations[0].stream;
        expect({ events: stats.operations[0].stream.events, counted }).to.deep.equal({
          events: 2 * 2,
          counted: stream.count && 2 * 7,
        });
      } finally {
        await shut(server);
      }
    });
});

describe('examples/llm-server.js', () => {
  const asked = async (body) => {
    const server = http.createServer(answer);
    const url = await listen(server);
    try {
      return await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })).text();
    } finally {
      await shut(server);
    }
  };

  it('has the fields that clients of OpenAI read, in its events and in an answer that is no stream', async () => {
    const request = { model: 'any', max_tokens: 2, stream_options: { include_usage: true } };
    const text = await asked(JSON.stringify({ ...request, stream: true }));
    const datas = text.split('\n\n').flatMap((event) => (event === '' ? [] : event.replace('data: ', '')));
    expect(datas.pop()).to.equal('[DONE]');
    const chunks = datas.map((data) => JSON.parse(data));
    for (const chunk of chunks) {
      expect(chunk).to.include({ object: 'chat.completion.chunk', model: 'any' });
      expect(chunk).to.include.keys('id', 'created', 'choices');
    }
    expect(chunks.flatMap(({ choices: [choice] }) => choice?.finish_reason ?? [])).to.deep.equal(['length']);
    const usage = { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 };
    expect(chunks.at(-1)).to.deep.include({ choices: [], usage });
    const whole = JSON.parse(await asked(JSON.stringify(request)));
    expect(whole).to.deep.include({ object: 'chat.completion', usage });
    expect(whole.choices[0].message.content).to.equal(' 1 2');
    expect(JSON.parse(await asked('no JSON')).error.message).to.equal('expected JSON');
  });
});

/** Requests with the instants of their events, as a proxy records them: some events have several tokens. */
function recordings() {
  const { next: random } = seeded(7);
  return Array.from({ length: 200 }, () => {
    const events = [{ at: 20 + 5 * random(), data: { choices: [{ delta: { role: 'assistant', content: '' } }] } }];
    let at = 100 + 400 * random();
    let last = at;
    let tokens = 0;
    for (let n = 0; n < 20 + Math.floor(60 * random()); n++) {
      const own = random() < 0.2 ? 2 : 1;
      tokens += own;
      events.push({ at, data: { choices: [{ delta: { content: ' word'.repeat(own) } }] } });
      last = at;
      at += 5 + 40 * random() ** 3;
    }
    events.push({ at: last + 0.2, data: { choices: [], usage: { completion_tokens: tokens } } });
    return { events, tokens };
  });
}

/** What we measure of the recordings. */
function measured(all) {
  let now = 0;
  const clock = { now: () => now, after: () => () => {} };
  const recorder = new StreamRecorder();
  const step = { reader: compileStream({ stream: STREAM }, { complain: () => {} }), needs: 'status', captures: [] };
  const plan = new StreamPlan(step, { clock, maxBodySize: 1e6 }, { figures: () => recorder });
  for (const { events } of all) {
    now = 0;
    const reader = plan.reader({
      get readAt() {
        return now;
      },
      finishReading: () => {},
      sinceDue: (at) => at,
    });
    reader.open(200, { 'content-type': 'text/event-stream' });
    for (const { at, data } of [...events, { at: events.at(-1).at, data: '[DONE]' }]) {
      now = at;
      const bytes = Buffer.from(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
      reader.add(bytes, 0, bytes.length);
    }
    plan.record(reader, now, { failed: false });
  }
  return recorder.summary({ withCounts: false });
}

const contentOf = ({ events }) => events.filter(({ data }) => data.choices[0]?.delta.content);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1];
const gaps = (instants) => instants.slice(1).map((at, i) => at - instants[i]);

/** The definitions of NVIDIA AIPerf: responses without content do not count. */
function aiPerf(all) {
  const timed = all.map((one) => ({ tokens: one.tokens, at: contentOf(one).map(({ at }) => at) }));
  return {
    ttft: timed.map(({ at }) => at[0]),
    itl: timed.map(({ at, tokens }) => (at.at(-1) - at[0]) / (tokens - 1)),
    icl: timed.flatMap(({ at }) => gaps(at)),
    tokens: timed.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** The definitions of the benchmark of vLLM: the latency lasts until the last event with a choice or the usage. */
function vllm(all) {
  const timed = all.map((one) => ({
    tokens: one.tokens,
    at: contentOf(one).map(({ at }) => at),
    end: one.events.at(-1).at,
  }));
  return {
    tpot: timed.map(({ at, end, tokens }) => (end - at[0]) / (tokens - 1)),
    itl: timed.flatMap(({ at }) => gaps(at)),
  };
}

describe('recorded timings of a language model', () => {
  const all = recordings();
  const { firstEvent, gap, meanGap, counted, count } = measured(all);
  const ours = aiPerf(all);
  const theirs = vllm(all);
  const near = (value, other) => expect(value).to.be.closeTo(other, 0.02 * other);

  for (const [what, summary, values] of [
    ['the first event is the time to first token of AIPerf', firstEvent, ours.ttft],
    ['the mean gap is the inter-token latency of AIPerf', meanGap, ours.itl],
    ['the gap is the inter-chunk latency of AIPerf', gap, ours.icl],
    ['the gap is the inter-token latency of vLLM', gap, theirs.itl],
  ])
    it(what, () => {
      expect(summary.count).to.equal(values.length);
      near(summary.mean, mean(values));
      for (const [key, share] of [
        ['median', 0.5],
        ['p95', 0.95],
        ['p99', 0.99],
      ])
        near(summary[key], percentile(values, share));
      near(summary.max, Math.max(...values));
    });

  it('the mean gap is the time per output token of vLLM, which also has the time until the usage arrives', () =>
    near(meanGap.mean, mean(theirs.tpot)));

  it('the output tokens are counted', () => {
    expect(counted).to.equal(ours.tokens);
    expect(count).to.equal(all.length);
  });
});
