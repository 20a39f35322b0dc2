import { draftOf, newDraft } from '../draft.js';
import { hiddenInScript } from '../secret-texts.js';
import { replaceSecrets } from '../secrets.js';
import { readLiteral } from './literal.js';
import { runOptionsOf } from './options.js';

/** @import { FlowDraft, ImportOptions, Supported } from '../../contracts/import.js' */

/** @type {Supported[]} */
export const supported = [
  { part: '`vus`, `duration`, `iterations`, `stages`', becomes: '`runOptions`, and the command that is printed' },
  {
    part: '`scenarios`: constant-vus, ramping-vus, constant-arrival-rate, ramping-arrival-rate, shared-iterations, per-vu-iterations',
    becomes: '`runOptions`; of several `scenarios` with a `load` and `startAfter`',
  },
  { part: '`thresholds` of http_req_duration, http_req_failed, http_reqs, iterations', becomes: '`thresholds`' },
  { part: '`insecureSkipTLSVerify`, `noConnectionReuse`, `userAgent`, `hosts`', becomes: '`runOptions`, `headers`' },
  { part: 'the requests of the script', becomes: 'comments: code is not translated by guesses' },
];

const OPTIONS = /(?:export\s+(?:const|let|var)\s+options|(?:module\.)?exports\.options)\s*(?::\s*\w+\s*)?=\s*(?=\{)/;
const REQUEST = /\bhttp\.(get|post|put|patch|del|head|options|request|asyncRequest|batch)\s*\(/g;
const URL_TEXT = /["'`](https?:\/\/[^"'`/$\s]+)/;
/** Requests of the script that are listed. */
const MOST_LISTED = 50;

/**
 * Reads the options of a k6 script: the flow has its load and its thresholds, and a first operation to be replaced.
 * @type {(text: string, options: ImportOptions) => FlowDraft}
 */
export function read(text, options) {
  const found = OPTIONS.exec(text);
  const literal = found ? readLiteral(text, found.index + found[0].length) : { value: {}, unread: [], defaults: [] };
  const given = typeof literal.value === 'object' && literal.value !== null ? literal.value : {};
  const { runOptions, thresholds, headers, notes, command, scenarios } = runOptionsOf(given);
  const requests = requestsIn(text);
  const [, origin] = URL_TEXT.exec(text) ?? [];
  const baseUrl = options.baseUrl ?? origin ?? 'http://localhost:3000';
  const draft = newDraft({
    baseUrl,
    comments: [
      'Made from the options of a k6 script by bench-rest import. Its code is not translated: write its requests as operations.',
    ],
    properties: {
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(Object.keys(runOptions).length > 0 && { runOptions }),
      ...(Object.keys(thresholds).length > 0 && { thresholds }),
    },
    dialectNotes: [
      ...(scenarios.length > 0 ? [] : [`The load of the script is: bench-rest ${command} <flow>`]),
      ...notes,
      ...(found ? [] : ['The script has no options in the form: export const options = { … }']),
      ...literal.unread.map((one) => `${one} is an expression: its value is not known.`),
      ...literal.defaults.map((one) => `${one} has its value without that variable of the environment.`),
    ],
    skipped: requests.map(({ what }) => ({ what, why: 'code is not translated' })),
  });
  const placeholder = (/** @type {string} */ of, /** @type {typeof requests} */ own) =>
    draftOf({ get: '/' }, [`Replace this operation by the requests of ${of}:`, ...own.map(({ what }) => what)]);
  if (scenarios.length === 0) draft.phases.main.push(placeholder('the script', requests));
  else
    draft.scenarios = Object.fromEntries(
      scenarios.map(({ name, code, settings }) => {
        const own = requests.filter((one) => one.code === code);
        return [name, { ...settings, main: [placeholder(`the function ${code}`, own)] }];
      }),
    );
  return replaceSecrets(draft, options);
}

/** The beginning of a function of the script. */
const FUNCTION =
  /^(?:export\s+)?(?:default\s+(?:async\s+)?(?:function\b|\()|(?:async\s+)?function\s+(\w+)|const\s+(\w+)\s*=\s*(?:async\s*)?(?:function\b|\())/;

/**
 * Lists the requests, `line 12: http.get('https://…')`, each with the function before it.
 * @type {(text: string) => { what: string, code: string }[]}
 */
function requestsIn(text) {
  let code = '';
  return text
    .split('\n')
    .flatMap((line, i) => {
      const start = FUNCTION.exec(line);
      if (start) code = start[1] ?? start[2] ?? 'default';
      const isRequest = line.search(REQUEST) >= 0 && !/^\s*(?:\/\/|\*)/.test(line);
      return isRequest ? [{ what: `line ${i + 1}: ${hiddenInScript(line.trim()).slice(0, 120)}`, code }] : [];
    })
    .slice(0, MOST_LISTED);
}
