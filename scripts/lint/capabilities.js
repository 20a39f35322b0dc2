import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Counts the lines of the core that name a capability: lines of code, without comments, of the modules of lib/core.
 * What only one add-on offers is a capability. Threads (workers), the list of loads and shards are of the core itself,
 * and are counted apart.
 */

/** @type {Record<string, RegExp>} */
const OF_ADDONS = {
  streams: /stream/i,
  agents: /agent/i,
  http2: /http\/?2|\bh2\b/i,
  websocket: /websocket|\bwss?\b/i,
  profile: /\bprofil/i,
  log: /\blogs?\b(?!\(|1p)|\blogged\b|requestLog|[a-z]Log\b/,
  grpc: /grpc/i,
  graphql: /graphql/i,
  llm: /\bllm\b|\bAI\b|\bsse\b/,
  kubernetes: /kubernetes|k8s|\bpods?\b/i,
  mcp: /\bmcp\b|assistant/i,
  har: /\bhar\b|\bhar[A-Z]|\bHAR/,
  tools: /\bk6\b|artillery|vegeta|postman|insomnia|openapi|undici/i,
  history: /history|baseline/i,
  export: /exporter|otlp|prometheus/i,
};

/** @type {Record<string, RegExp>} */
const OF_CORE = { workers: /worker/i, loads: /loads\b/i, shards: /shard/i };

/** Streams of Node, and names of HTTP fields: no capability. */
const OTHERS =
  /node:stream|[\w.]*(?:Write|Read)Stream|\b(?:is|isOpen|read|ignore|validate)Stream\w*|user-agent|ERR_STREAM\w*/g;
/** Output of the command is written to streams of Node. */
const OUTPUT = 'cli/output.js';

/** @type {(folder: string, names: Record<string, RegExp>) => Record<string, number>} */
function countIn(folder, names) {
  const counts = Object.fromEntries(Object.keys(names).map((name) => [name, 0]));
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.js')))
    for (const line of codeLines(readFileSync(join(folder, path), 'utf8')))
      for (const [name, pattern] of Object.entries(names))
        if (pattern.test(line.replace(OTHERS, '')) && !(name === 'streams' && path === OUTPUT)) counts[name]++;
  return counts;
}

/** @type {(text: string) => string[]} */
function codeLines(text) {
  return text
    .replace(/^\s*\/\*[^]*?\*\/$/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*\/\//.test(line));
}

/** @type {(root: string) => { ofAddons: Record<string, number>, ofCore: Record<string, number> }} */
export function countCapabilities(root) {
  const core = join(root, 'lib/core');
  return { ofAddons: countIn(core, OF_ADDONS), ofCore: countIn(core, OF_CORE) };
}
