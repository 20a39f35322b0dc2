import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rootsOfAddons } from '../../core/ground/addons.js';
import { loadOptional } from '../export/optional-package.js';
import { shapeOf } from '../../core/ground/schema-shape.js';
import { ShapeError, rebuild } from '../../core/ground/shape.js';
import { workingFolder } from '../../core/ground/system-errors.js';
import { confine } from '../../core/process/confinement.js';
import { RUN_OPTIONS } from '../../core/run/options/index.js';
import { oppositeFlag, withoutArgument } from '../../core/run/options/row.js';
import { messageOf } from '../../core/text/error-text.js';
import { formatValue, shortened } from '../../core/text/format-value.js';
import { safeLines } from '../../core/text/safe.js';
import { SIGNALS } from '../../core/cli/exit-process.js';
import { printMessage, write } from '../../core/cli/output.js';
import { usageError } from '../../core/cli/usage-error.js';
import { BOUND_FLAGS, describeBounds } from '../agents/bound-flags.js';
import { REFUSED_OPTIONS } from './refused-options.js';
import { MessageLines } from './message-lines.js';
import { RESOURCES, resourceAt } from './resources.js';
import { Runs } from './runs.js';
import { QUOTED, TOOLS, describedInputOf, inputOf } from './tools.js';

/** @import { Tick } from '../../core/contracts/run.js' */
/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { Shutdown } from '../../core/cli/exit-process.js' */
/** @import { Io } from '../../core/cli/types.js' */
/** @import { McpRequest } from './requests.js' */
/** @import { Tool, ToolContext } from './tools.js' */

const PACKAGE = '@modelcontextprotocol/sdk';
/** Bytes of a message of a client, which are kept until its end. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Characters of a text for an assistant. */
const LONGEST = 50_000;
const PROGRESS_MS = 1000;
const FLAGS = { type: 'object', description: 'Run options of the flags that the texts name' };
/** The targets that flows may send to without --allow-target. */
const THIS_MACHINE = ['localhost:*', '127.0.0.1:*', '[::1]:*'];
/** JSON-RPC: the message is no valid request. */
const INVALID_REQUEST = -32600;

/**
 * Serves an assistant until standard input ends, or a signal arrives. Only messages of the protocol are written to
 * standard output.
 * @throws {Error} E_PACKAGE
 * @type {(request: McpRequest & { version: string }, io: Io, shutdown: Shutdown) => Promise<Reason[] | number>}
 */
export async function serveAssistant(request, io, shutdown) {
  // Code of a flow could write between the messages. The child, and tests, have another stdout.
  if (request.allowed.code && io.stdout === process.stdout) return runBehindStdout(io);
  const [sdk, { StdioServerTransport }] = await Promise.all([loadSdk(), loadPart('server/stdio.js')]);
  const assistant = openAssistant(request, sdk, io);
  shutdown.add(assistant.close);
  const lines = io.stdin.pipe(new MessageLines(MOST_BYTES, (id, reason) => void write(io.stdout, refusal(id, reason))));
  const transport = new StdioServerTransport(lines, io.stdout);
  const isOver = new Promise((over) => {
    for (const name of SIGNALS) io.on(name, over);
    lines.on('end', over);
    io.stdin.on('error', over);
    io.stdout.on('close', over).on('error', over);
  });
  await assistant.server.connect(transport);
  await printMessage(io.stderr, trustOf(request, assistant.folder));
  await isOver;
  await assistant.close();
  return [];
}

/** @type {(id: string, message: string) => string} */
function refusal(id, message) {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${INVALID_REQUEST},"message":${JSON.stringify(message)}}}\n`;
}

/**
 * Loads a module of the SDK. Its types are not read, so that only its tests and its users need the package.
 * @type {(part: string) => Promise<any>}
 */
function loadPart(part) {
  return loadOptional(PACKAGE, 'bench-rest mcp', () => import(`${PACKAGE}/${part}`));
}

/** @typedef {{ Server: any, types: any }} Sdk */
/** @typedef {{ params: any }} Request of the protocol */
/** @typedef {{ signal: AbortSignal, sendNotification: (notification: object) => Promise<void> }} Extra */

/** @type {() => Promise<Sdk>} */
export async function loadSdk() {
  const [{ Server }, types] = await Promise.all([loadPart('server/index.js'), loadPart('types.js')]);
  return { Server, types };
}

/**
 * Creates a server of the SDK that has the tools, and confines this process: until it is closed, no file outside of the
 * folder is read, and requests are sent only to allowed targets.
 * @throws {Error} E_USAGE: there is no such folder
 * @type {(request: McpRequest & { version: string }, sdk: Sdk, io: Pick<Io, 'cwd' | 'stderr'>) => { server: any,
 *   runs: Runs, folder: string, close: () => Promise<boolean> }}
 */
export function openAssistant({ folder: given, allowed, bounds, version }, { Server, types }, io) {
  const folder = resolve(workingFolder(io), given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw usageError(`--folder ${given}: there is no such folder; create it, or use another one`);
  const targets = [...THIS_MACHINE, ...(allowed.targets ?? [])];
  confine({ folder, isClosed: true, files: [], variables: allowed.variables, targets });
  const runs = new Runs({ folder, bounds, log: io.stderr });
  const limits = `A run may take ${describeBounds(bounds)}, and send to: ${targets.join(', ')}.`;
  const server = new Server(
    { name: 'bench-rest', title: 'bench-rest', version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: `Load tests of HTTP services with flows. ${limits} ${QUOTED}`,
    },
  );
  server.onerror = (/** @type {Error} */ error) => void printMessage(io.stderr, messageOf(error));
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({ resources: RESOURCES }));
  server.setRequestHandler(types.ReadResourceRequestSchema, (/** @type {Request} */ { params }) => ({
    contents: [resourceAt(params.uri)],
  }));
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: TOOLS.map((tool) => described(tool, limits)),
  }));
  const calls = answerCalls(server, types, { context: { folder, allowed, runs }, io });
  const close = async () => {
    await runs.close();
    await Promise.allSettled(calls);
    // The SDK writes the answer of a call in the turn of the event loop in which the call ends.
    await new Promise(setImmediate);
    await server.close();
    confine(undefined);
    return true;
  };
  return { server, runs, folder, close };
}

/**
 * Lets a server answer calls of tools. Returns those that are not answered yet.
 * @type {(server: any, types: any, served: { context: ToolContext, io: Pick<Io, 'stderr'> }) => Set<Promise<object>>}
 */
function answerCalls(server, types, { context, io }) {
  /** @type {Set<Promise<object>>} */
  const calls = new Set();
  server.setRequestHandler(
    types.CallToolRequestSchema,
    (/** @type {Request} */ { params }, /** @type {Extra} */ extra) => {
      const answer = called(params, { ...context, signal: extra.signal, onTick: progressOf(params, extra) }, io);
      calls.add(answer);
      return answer.finally(() => calls.delete(answer));
    },
  );
  return calls;
}

/** @type {(tool: Tool, limits: string) => object} */
function described(tool, limits) {
  const { name, title, about, output, sends = false } = tool;
  return {
    name,
    title,
    description: sends ? `${about} ${limits}` : about,
    inputSchema: describedInputOf(tool),
    outputSchema: { type: 'object', properties: { ...output, flags: FLAGS } },
    annotations: { title, readOnlyHint: !sends, destructiveHint: sends, idempotentHint: !sends, openWorldHint: sends },
  };
}

/**
 * Calls a tool. An error is a result, so that the assistant reads it.
 * @type {(params: { name: string, arguments?: unknown }, context: ToolContext, io: Pick<Io, 'stderr'>) =>
 *   Promise<object>}
 */
async function called({ name, arguments: given = {} }, context, { stderr }) {
  try {
    const tool = TOOLS.find((one) => one.name === name);
    if (!tool) throw usageError(`no tool is called ${formatValue(name)}`);
    const { text, facts } = await tool.call(argumentsOf(tool, given), context);
    const flags = optionsOfFlags(`${text}\n${JSON.stringify(facts)}`);
    const structuredContent = safeFacts(Object.keys(flags).length === 0 ? facts : { ...facts, flags });
    return { content: textContent(text, flags), structuredContent };
  } catch (error) {
    const { code, stack } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === undefined) await printMessage(stderr, String(stack));
    const text = messageOf(error);
    return { isError: true, content: textContent(text, optionsOfFlags(text)) };
  }
}

/** @type {(text: string, flags: Record<string, string>) => object[]} */
function textContent(text, flags) {
  return [{ type: 'text', text: safeText(text) + describeFlags(flags) }];
}

/** @type {(tool: Tool, given: unknown) => any} */
function argumentsOf(tool, given) {
  try {
    return rebuild(shapeOf(inputOf(tool)), given, { name: 'arguments' });
  } catch (error) {
    throw error instanceof ShapeError ? usageError(error.message) : error;
  }
}

/** Some texts are those of servers: without secrets and control characters. @type {(text: string) => string} */
function safeText(text) {
  return shortened(safeLines(text), LONGEST);
}

/** @type {(value: any) => any} */
function safeFacts(value) {
  if (typeof value === 'string') return safeText(value);
  if (Array.isArray(value)) return value.map(safeFacts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [safeText(key), safeFacts(one)]));
}

/**
 * Tells a client that asks for it where its run is, once per second.
 * @type {(params: { _meta?: { progressToken?: string | number } }, extra: Pick<Extra, 'sendNotification'>) =>
 *   ToolContext['onTick']}
 */
function progressOf({ _meta: { progressToken } = {} }, { sendNotification }) {
  if (progressToken === undefined) return undefined;
  let nextAt = 0;
  return (/** @type {Tick} */ { elapsedMs, ended, errors }, plannedMs) => {
    if (elapsedMs === null || elapsedMs < nextAt) return;
    nextAt = elapsedMs + PROGRESS_MS;
    const params = {
      progressToken,
      progress: elapsedMs / 1000,
      ...(Number.isFinite(plannedMs) && { total: Math.max(plannedMs, elapsedMs) / 1000 }),
      message: `${ended} iterations, ${errors} errors`,
    };
    // It fails if the client is gone, which ends the server elsewhere.
    sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/** Tells the person who started it what an assistant can do. @type {(request: McpRequest, folder: string) => string} */
function trustOf({ allowed: { code, variables, targets }, bounds }, folder) {
  const where = ['this machine', ...(targets ?? [])].join(', ');
  const reads = variables.length === 0 ? 'no variables of the environment' : variables.join(', ');
  return `waits for a client of the Model Context Protocol on standard input. It can read files below ${folder}, send requests to ${where}, read ${reads}, and run ${code ? 'code of that folder' : 'no code'}; each run takes ${describeBounds(bounds)}`;
}

/** `-c` and `--rate`, at the beginning of a word: not the dashes in `p99-x` or `a--b`. */
const FLAG = /(?<![\w.-])--?[a-zA-Z][\w-]*/g;
/** The run option of each flag that an assistant may set. @type {Map<string, string>} */
const OPTIONS = new Map(
  RUN_OPTIONS.filter(({ name }) => !REFUSED_OPTIONS.includes(name)).flatMap((row) =>
    [withoutArgument(row.flag), oppositeFlag(row)]
      .flatMap((flags) => flags?.split(', ') ?? [])
      .map((flag) => /** @type {[string, string]} */ ([flag, row.name])),
  ),
);

/**
 * Finds the flags of run options in texts for people at a terminal: an assistant can only set the options.
 * @type {(text: string) => Record<string, string>} the option of each flag
 */
export function optionsOfFlags(text) {
  const flags = new Set(text.match(FLAG) ?? []);
  // The server has some of these flags itself.
  for (const flag of [...BOUND_FLAGS, '--allow-target']) flags.delete(flag);
  return Object.fromEntries([...OPTIONS].filter(([flag]) => flags.has(flag)));
}

/** @type {(options: Record<string, string>) => string} empty: there are none */
export function describeFlags(options) {
  const all = Object.entries(options).map(([flag, option]) => `${flag} is ${option}`);
  return all.length === 0 ? '' : `\nFlags are those of the command; in the options of run ${all.join(', ')}.`;
}

/**
 * Runs the same command in a child whose standard output is its standard error, and whose descriptor 3 leads to the
 * client: code of a flow can write to descriptor 1, or start programs that do, and must not break the messages.
 * Resolves with its exit code.
 * @type {(io: Pick<Io, 'on'>) => Promise<number>}
 */
export async function runBehindStdout(io) {
  const entry = fileURLToPath(new URL('./child.js', import.meta.url));
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...rootsOfAddons().flatMap((root) => ['--import', root]), entry, ...process.argv.slice(2)],
    {
      stdio: ['inherit', process.stderr.fd, 'inherit', process.stdout.fd],
    },
  );
  for (const name of SIGNALS) io.on(name, () => child.kill(/** @type {NodeJS.Signals} */ (name)));
  const [code] = await once(child, 'close');
  return code ?? 1;
}
