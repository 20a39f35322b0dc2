import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';

import { counted } from '../../core/ground/decimal.js';
import { makeError } from '../../core/ground/errors.js';
import { workingFolder } from '../../core/ground/system-errors.js';
import { correlate } from '../import/correlation/correlate.js';
import { operationsOf } from '../import/draft.js';
import { hiddenInCommand } from '../import/secret-texts.js';
import { replaceSecrets } from '../import/secrets.js';
import { FileRefusal, readTextFile } from '../../core/process/read-file.js';
import { Authority } from './certificate.js';
import { RecordingProxy } from './proxy.js';
import { findApplication } from './suite/find-application.js';
import { SUITE_ORIGIN, SuiteRecording } from './suite/suite-recording.js';
import { shortened } from '../../core/text/format-value.js';
import { safe } from '../../core/text/safe.js';
import { SIGNALS } from '../../core/cli/exit-process.js';
import { refuseExisting, writeDraft } from '../import/import-flow.js';
import { printMessage } from '../../core/cli/output.js';
import { usageError } from '../../core/cli/usage-error.js';
import { unwritable } from '../../core/cli/result/unwritable.js';

/** @import { Exchange } from '../import/exchange.js' */
/** @import { FlowDraft } from '../import/import.js' */
/** @import { Io } from '../../core/cli/types.js' */
/** @import { RecordRequest } from './requests.js' */
/** @import { Application } from './suite/find-application.js' */

/**
 * @typedef {object} Recording
 * @property {Exchange[]} exchanges
 * @property {{ what: string, why: string }[]} lacks
 * @property {number} code exit code of the command
 * @property {Map<string, Application | null>} [applications] of a suite, by the clients of its exchanges
 * @property {string[]} [files] of a suite, in the order of their requests
 */

/**
 * Records what a command sends to the proxy, or what comes until Ctrl-C, and writes it as a flow. Resolves with the
 * exit code of the command: a failed one has sent requests, too.
 * @type {(request: RecordRequest, io: Io) => Promise<number>}
 */
export async function recordFlow(request, io) {
  const { output, force } = request;
  const path = resolve(workingFolder(io), output);
  if (!force) refuseExisting(path, output);
  if (!existsSync(dirname(path))) throw unwritable(path, { name: 'Error', message: '', code: 'ENOENT' });
  const first = await record(request, io);
  const second = request.again ? await record(request, io, first.files) : null;
  const drafts = draftsOf(first, second, request, workingFolder(io));
  if (drafts.length === 0) {
    await printMessage(io.stderr, nothingRecorded(request, first));
    return first.code || NOT_THERE;
  }
  let isElsewhere = false;
  for (const [i, draft] of drafts.entries()) {
    const name = i === 0 ? output : numbered(output, i + 1);
    if (!(await save(draft, name, request, io))) isElsewhere = true;
  }
  if (drafts.length > 1)
    await printMessage(
      io.stderr,
      `${drafts.length} ${request.proxy === null ? 'applications got' : 'clients sent'} requests: each has a flow; --merge writes one for all`,
    );
  return second?.code || first.code || (isElsewhere ? NOT_THERE : 0);
}

/**
 * Writes a draft to its file; if that was created meanwhile, or cannot be written, to another one, as nothing brings a
 * recording back. Resolves with whether it is in its file.
 * @type {(draft: FlowDraft, name: string, request: RecordRequest, io: Io) => Promise<boolean>}
 */
async function save(draft, name, { force, format }, io) {
  const wanted = resolve(workingFolder(io), name);
  /** @type {unknown} */
  let failure;
  for (const folder of new Set([dirname(wanted), workingFolder(io), tmpdir()])) {
    try {
      // --force is about the file that the user named, not about those beside it
      const isReplaced = force && failure === undefined;
      const path = isReplaced ? wanted : reserved(join(folder, basename(wanted)));
      await writeDraft(draft, { path, output: path === wanted ? name : path, format }, io);
      if (path === wanted) return true;
      const reason = failure === undefined ? `${name} exists` : /** @type {Error} */ (failure).message;
      await printMessage(io.stderr, `${reason}\nthe flow is in ${path}`);
      return false;
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/** Creates the file; with a number in its name if another recording has it. @type {(path: string) => string} */
function reserved(path) {
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : numbered(path, number);
    try {
      closeSync(openSync(free, 'wx'));
      return free;
    } catch (cause) {
      const error = /** @type {NodeJS.ErrnoException} */ (cause);
      if (error.code !== 'EEXIST' || number === MOST_NUMBERS) throw unwritable(free, error);
    }
  }
}

/** Characters of the command in a comment of the flow. */
const LONGEST_COMMAND = 80;
/** The exit code if no flow is in the file of `-o`, and the command succeeded. */
const NOT_THERE = 1;
const MOST_NUMBERS = 10_000;
const MOST_PEM_BYTES = 1024 * 1024;

/** `flow-2.mjs` @type {(file: string, number: number) => string} */
function numbered(file, number) {
  const extension = extname(file);
  return `${file.slice(0, file.length - extension.length)}-${number}${extension}`;
}

/** @type {(request: RecordRequest, io: Io, order?: string[]) => Promise<Recording>} */
async function record(request, io, order) {
  const { proxy, words } = request;
  return proxy === null ? recordSuite(words, io, order) : recordProxy({ ...request, proxy }, io);
}

/** @type {(words: string[], io: Io, order?: string[]) => Promise<Recording>} order: of the files of the suite */
async function recordSuite(words, io, order) {
  const recording = await SuiteRecording.open(order);
  await printMessage(
    io.stderr,
    `recording requests to applications in the processes of ${hiddenInCommand(words)}; --target records those to a URL`,
  );
  /** @type {Recording['applications']} */
  const applications = new Map();
  let code;
  let exchanges;
  try {
    code = await runCommand(words, recording.variables(io.env), io);
  } finally {
    exchanges = await recording.finish((callers) => {
      const found = findApplication(callers);
      const client = `application ${found ? `${found.file} ${found.name}` : (callers.at(-1) ?? '')}`;
      applications.set(client, found);
      return client;
    });
  }
  return { exchanges, lacks: recording.recorder.lacks(), code, applications, files: recording.files };
}

/** @type {(request: RecordRequest & { proxy: NonNullable<RecordRequest['proxy']> }, io: Io) => Promise<Recording>} */
async function recordProxy({ proxy: options, authority: files, words }, io) {
  const authority = files && authorityIn(files, io);
  const proxy = new RecordingProxy({ ...options, ...(authority && { authority }) });
  const url = await proxy.start();
  const to = options.target === null ? 'all servers' : options.target.origin;
  const what = words.length > 0 ? `running ${hiddenInCommand(words)}` : 'press Ctrl-C to end the recording';
  await printMessage(io.stderr, `recording requests to ${url}, which go to ${to}; ${what}`);
  const variables = variablesOf(url, options, files && resolve(workingFolder(io), files.certificate));
  let code;
  let exchanges;
  try {
    code = words.length > 0 ? await runCommand(words, variables, io) : await untilInterrupted(io);
  } finally {
    exchanges = await proxy.finish();
  }
  return { exchanges, lacks: proxy.recorder.lacks(), code };
}

/** Variables with the file of trusted authorities: of Node, OpenSSL, curl and Python. */
const TRUST = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE'];

/** @type {(files: NonNullable<RecordRequest['authority']>, io: Io) => Authority} */
function authorityIn({ certificate, key }, io) {
  /** @type {(name: string) => { name: string, text: string }} */
  const read = (name) => ({
    name,
    text: readTextFile(resolve(workingFolder(io), name), { maxBytes: MOST_PEM_BYTES, isSecret: name === key }),
  });
  try {
    return new Authority(read(certificate), read(key));
  } catch (error) {
    throw error instanceof FileRefusal ? usageError(error.message) : error;
  }
}

/**
 * The variables by which programs find the proxy, and trust its authority.
 * @type {(url: string, options: { target: URL | null }, certificate?: string) => Record<string, string>}
 */
function variablesOf(url, { target }, certificate) {
  if (target !== null) return { BASE_URL: url };
  const proxy = { HTTP_PROXY: url, http_proxy: url, NODE_USE_ENV_PROXY: '1' };
  if (certificate === undefined) return proxy;
  const trust = Object.fromEntries(TRUST.map((name) => [name, certificate]));
  return { ...proxy, HTTPS_PROXY: url, https_proxy: url, ...trust };
}

/** @type {(first: Recording, second: Recording | null, request: RecordRequest, cwd: string) => FlowDraft[]} */
function draftsOf(first, second, { merge, proxy, words, keepSecrets, format, correlate: options }, cwd) {
  const clients = byClient(first.exchanges, merge);
  const others = second ? byClient(second.exchanges, merge) : new Map();
  return [...clients].flatMap(([client, exchanges], i) => {
    const draft = correlate(exchanges, {
      ...options,
      ...(proxy === null ? { origin: SUITE_ORIGIN } : proxy.target && { origin: proxy.target.origin }),
      ...(others.has(client) && { again: others.get(client) }),
    });
    if (operationsOf(draft).length === 0) return [];
    const from = words.length > 0 ? ` by ${shortened(safe(hiddenInCommand(words)), LONGEST_COMMAND)}` : '';
    const whole = {
      ...draft,
      comments: [
        `Recorded${from}: ${counted(exchanges.length, 'request')}${clients.size > 1 && !first.applications ? ` of client ${i + 1}` : ''}.`,
        ...draft.comments,
      ],
      skipped: [...(i === 0 ? first.lacks : []), ...draft.skipped],
    };
    const flow = replaceSecrets(whole, { keepSecrets });
    if (!first.applications) return [flow];
    const { applications } = first;
    const found = applications.get(merge ? first.exchanges[0].client : client) ?? null;
    const note = merge ? mergedNote(new Set(first.exchanges.map((one) => one.client)), applications, cwd) : [];
    return [withApplication({ ...flow, dialectNotes: [...flow.dialectNotes, ...note] }, found, cwd, format)];
  });
}

/**
 * Warns that a flow has requests to several applications: an application has its paths without those that another one
 * mounts it at.
 * @type {(clients: Set<string>, applications: Map<string, Application | null>, cwd: string) => string[]}
 */
function mergedNote(clients, applications, cwd) {
  if (clients.size < 2) return [];
  const files = [...clients].map((client) => applications.get(client)).map((one) => one && addressOf(one.file, cwd));
  const [first, ...others] = files.map((file) => file ?? 'one without a module');
  return [
    `the requests to ${others.join(', ')} are sent to ${first}, too: change their paths if it mounts them at another one, or record without --merge`,
  ];
}

/** `./app.js`, as `start.app` has it. @type {(file: string, cwd: string) => string} */
function addressOf(file, cwd) {
  const path = relative(cwd, file).split(sep).join('/');
  return `${path.startsWith('..') ? '' : './'}${path}`;
}

/**
 * Lets a flow start the application, if it is known and the suite passes nothing to it. Otherwise, and in a flow that
 * is data, which runs no command, a sentence says how.
 * @type {(draft: FlowDraft, found: Application | null, cwd: string, format: RecordRequest['format']) => FlowDraft}
 */
function withApplication({ baseUrl: _, ...draft }, found, cwd, format) {
  const file = found && addressOf(found.file, cwd);
  const isKnown = found !== null && found.givenTo === undefined;
  const app = isKnown ? `${file}${found.name === '' ? '' : `#${found.name}`}` : 'MODULE';
  if (isKnown && format === 'mjs')
    return { ...draft, properties: { ...draft.properties, runOptions: { start: { app } } } };
  const where = `run the flow with --start-app ${app}, or start your server by --start`;
  const notes = {
    known: where,
    given: `the suite passes arguments to ${found?.givenTo} of ${file}: let a module export an application that is ready, and ${where}`,
    unknown: `no module that exports the application was found: ${where}`,
  };
  const note = isKnown ? notes.known : found ? notes.given : notes.unknown;
  return { ...draft, dialectNotes: [...draft.dialectNotes, note], runFlags: `--start-app ${app}` };
}

/**
 * Groups exchanges by their clients. One without a User-Agent, as WebSockets of Node have none, is of the client that
 * sent the request before it, or else the first one.
 * @type {(exchanges: Exchange[], merge: boolean) => Map<string, Exchange[]>}
 */
function byClient(exchanges, merge) {
  /** @type {Map<string, Exchange[]>} */
  const clients = new Map();
  let last = exchanges.find(({ client }) => isNamed(client))?.client ?? '';
  for (const exchange of exchanges) {
    if (isNamed(exchange.client)) last = exchange.client;
    const client = merge ? '' : last || exchange.client;
    const own = clients.get(client) ?? [];
    own.push({ ...exchange, client });
    clients.set(client, own);
  }
  return clients;
}

/** A client is its address, followed by its User-Agent if it has one. @type {(client: string) => boolean} */
function isNamed(client) {
  return client.includes(' ');
}

/** @type {(request: RecordRequest, recording: Recording) => string} */
function nothingRecorded({ proxy, words }, { exchanges, lacks, code }) {
  const lines = lacks.map(({ what, why }) => `  ${what}: ${why}`);
  const cure =
    proxy === null
      ? 'did the suite send requests to an application of its own? --target records those to another URL'
      : proxy.target === null
        ? 'does the program use HTTP_PROXY, and for TLS HTTPS_PROXY with --ca?'
        : 'does the program send its requests to BASE_URL?';
  const failed = `the command ended with code ${code} before a request; run it without record first`;
  const remedy = words.length === 0 ? 'send requests to the proxy' : code === 0 ? cure : failed;
  const head =
    exchanges.length === 0
      ? `nothing was recorded, and no flow is written: ${remedy}`
      : 'no request belongs into a flow, and none is written; see --include';
  return [head, ...lines].join('\n');
}

/** As shells report a command that a signal ended. */
const SIGNAL_CODE = 128;

/**
 * Runs a command to its end, and resolves with its exit code. Its output is that of this process. Ctrl-C in a terminal
 * reaches it, too; other signals are passed on.
 * @throws {Error} E_RECORD
 * @type {(words: string[], variables: Record<string, string>, io: Io) => Promise<number>}
 */
async function runCommand([file, ...args], variables, io) {
  const isOwn = io.stdout === process.stdout && io.stderr === process.stderr;
  const child = spawn(file, args, {
    cwd: io.cwd(),
    env: { ...io.env, ...variables },
    stdio: isOwn ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    // npm is a script there
    shell: process.platform === 'win32',
    windowsHide: true,
  });
  child.stdout?.pipe(io.stdout, { end: false });
  child.stderr?.pipe(io.stderr, { end: false });
  /** @type {(name: NodeJS.Signals) => void} */
  const pass = (name) => {
    if (name !== 'SIGINT' || !isOwn) child.kill(name);
  };
  for (const name of SIGNALS) io.on(name, pass);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (/** @type {NodeJS.ErrnoException} */ cause) => {
        const reason = `${file} was not started: ${cause.code ?? cause.message}`;
        reject(
          makeError(
            'E_RECORD',
            { reason, cure: 'is the program installed? npx finds those of node_modules' },
            { cause },
          ),
        );
      });
      child.once('close', (code, signal) => resolve(code ?? SIGNAL_CODE + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    for (const name of SIGNALS) io.off(name, pass);
  }
}

/** Waits for Ctrl-C; resolves with 0. @type {(io: Io) => Promise<number>} */
async function untilInterrupted(io) {
  await new Promise((resolve) => SIGNALS.forEach((name) => io.on(name, resolve)));
  return 0;
}
