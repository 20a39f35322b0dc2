import { counted } from '../../../core/ground/decimal.js';
import { makeError } from '../../../core/ground/errors.js';
import { mapOperations, mapTexts, newDraft, pathInFlow, relativeToBase, titleOf } from '../draft.js';
import { loginFirst } from '../login.js';
import { replaceSecrets } from '../secrets.js';
import { settle } from '../tokens.js';
import { isBuiltIn } from '../variables.js';
import { isCurl } from './computed.js';
import { readCurlArguments } from './flags.js';
import { hasMarks, withTokens } from './marks.js';
import { operationsOfCurl } from './operation.js';
import { readCommands } from './shell.js';

/** @import { FlowDraft, ImportOptions } from '../import.js' */
/** @import { CurlContext } from './operation.js' */
/** @import { ShellCommand } from './shell.js' */

export { supported } from './flags.js';

const REMEDY = "in the developer tools of the browser, choose 'Copy as cURL (bash)' or 'Copy as cURL (POSIX)'";

/**
 * Reads curl commands: each becomes an operation.
 * @throws {Error} E_FLOW_FILE if none can be sent, or they are written for a shell of Windows
 * @type {(text: string, options: ImportOptions) => FlowDraft}
 */
export function read(text, options) {
  refuseWindows(text, options.from);
  return draftOfCommands(readCommands(text), options, {
    noun: 'curl command',
    cure: "write commands such as: curl -H 'Accept: application/json' http://localhost:3000/items",
  });
}

/**
 * Makes the draft of commands of curl, or of calls that were written as such: `noun` is one of them, which
 * `label` begins.
 * @throws {Error} E_FLOW_FILE if none can be sent
 * @type {(commands: ShellCommand[], options: ImportOptions, about: { noun: string, label?: string, cure: string }) =>
 *   FlowDraft}
 */
export function draftOfCommands(commands, options, { noun, label, cure }) {
  const { from, folder } = options;
  const draft = newDraft();
  /** @type {CurlContext} */
  const context = {
    folder,
    pathInFlow: (path) => pathInFlow(path, options),
    skip: (what, why) => void draft.skipped.push({ what: withTokens(what), why: withTokens(why) }),
    runOptions: {},
    jars: new Set(),
  };
  for (const command of commands) draft.phases.main.push(...operationsIn(command, context, label));
  const count = draft.phases.main.length;
  if (count === 0)
    throw makeError('E_FLOW_FILE', {
      path: from,
      reason: `has no ${noun} that can be sent${draft.skipped.map(({ what, why }) => `; ${what}: ${why}`).join('')}`,
      cure,
    });
  for (const { operation, comments } of draft.phases.main)
    draft.dialectNotes.push(...comments.map((comment) => `${titleOf(operation)}: ${comment}`));
  if (Object.keys(context.runOptions).length > 0) draft.properties = { runOptions: context.runOptions };
  draft.comments.push(`Made from ${counted(count, noun)} by bench-rest import.`);
  const whole = loginFirst(settle(variablesAsTokens(draft)));
  return replaceSecrets(relativeToBase(whole, options.baseUrl), options);
}

/** @type {(command: ShellCommand, context: CurlContext, label?: string) => FlowDraft['phases']['main']} */
function operationsIn(command, context, label) {
  const { words, problems, notes, captures, variable, isShown } = command;
  const [name = ''] = words;
  if (!isCurl(command)) {
    if (variable !== undefined) context.skip(`$${variable}`, problems.join('; '));
    else if (!isShown && !SENDS_NOTHING.has(name)) context.skip(name, whyNot(command));
    return [];
  }
  // Other words may be secrets.
  const url = words.slice(1).find((word) => /^(?:https?:\/\/|[\w.-]+\/)/i.test(word)) ?? '';
  const what = `${label ?? name} ${url}`.trim().slice(0, 100);
  if (problems.length > 0) {
    context.skip(what, problems.join('; '));
    return [];
  }
  const drafts = readCurlArguments(words.slice(1), command).flatMap((request) => {
    request.notes.push(...notes);
    if (request.urls.length === 0) context.skip(what, [...request.notes, 'it has no URL'].join('; '));
    return operationsOfCurl(request, context);
  });
  const last = drafts.at(-1);
  if (last && Object.keys(captures).length > 0) last.operation.capture = captures;
  return drafts;
}

/** Says why a command is left out. @type {(command: ShellCommand) => string} */
function whyNot({ words: [name, ...words] }) {
  if (name === 'for') return 'its requests are imported once';
  // Not those of: apt-get install curl ca-certificates
  const [, after = ''] = /(?:^|[\s/])curl(?:\.exe)?(?:\s+([^]*)|$)/.exec(words.join(' ')) ?? [];
  const runs = /[/:]|localhost|\w\.\w/.test(after) || hasMarks(after);
  return runs ? 'the curl command in it is not read: write it alone' : 'it is not curl';
}

/** Words and commands of a shell that send no request. */
const SENDS_NOTHING = new Set([
  ...['fi', 'done', 'case', 'esac', '}', '[', '[[', 'test', 'true', 'false', ':', 'exit', 'return', 'set', 'echo'],
  ...['printf', 'sleep', 'wait', 'read', 'shift', 'break', 'continue', 'trap', 'unset', 'cd', 'mkdir', 'rm'],
]);

/** The forms for cmd and PowerShell have other quotes. @type {(text: string, from: string) => void} */
function refuseWindows(text, from) {
  const shell = /^[ \t]*curl(?:\.exe)?\s(?:[^\n]*\s)?\^(?:"|[ \t]*$)/m.test(text)
    ? 'cmd'
    : /^[ \t]*(?:Invoke-(?:WebRequest|RestMethod)\b|curl\s[^\n]*\s`[ \t]*$)/m.test(text)
      ? 'PowerShell'
      : undefined;
  if (shell) throw makeError('E_FLOW_FILE', { path: from, reason: `is written for ${shell} of Windows`, cure: REMEDY });
}

/** Variables neither captured nor built-in are read from the environment. @type {(draft: FlowDraft) => FlowDraft} */
function variablesAsTokens(draft) {
  const { phases, properties, dialectNotes } = draft;
  const captured = new Set(phases.main.flatMap(({ operation }) => Object.keys(operation.capture ?? {})));
  const hasToken = (/** @type {string} */ name) => captured.has(name) || isBuiltIn(name);
  const translated = (/** @type {string} */ text) => withTokens(text, hasToken);
  const mapped = mapOperations(
    { ...draft, dialectNotes: dialectNotes.map(translated) },
    ({ operation, comments, ...rest }) => ({
      ...rest,
      operation: mapTexts(operation, translated),
      comments: comments.map(translated),
    }),
  );
  return properties ? { ...mapped, properties: mapTexts(properties, translated) } : mapped;
}
