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
    becomes: '`runOptions` of the first one; the others are named',
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
  const literal = found ? readLiteral(text, found.index + found[0].length) : { value: {}, unread: [] };
  const given = typeof literal.value === 'object' && literal.value !== null ? literal.value : {};
  const { runOptions, thresholds, headers, notes, command } = runOptionsOf(given);
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
      `The load of the script is: bench-rest ${command} <flow>`,
      ...notes,
      ...(found ? [] : ['The script has no options in the form: export const options = { … }']),
      ...literal.unread.map((one) => `${one} is an expression: its value is not known.`),
    ],
    skipped: requests.map((what) => ({ what, why: 'code is not translated' })),
  });
  draft.phases.main.push(draftOf({ get: '/' }, ['Replace this operation by the requests of the script:', ...requests]));
  return replaceSecrets(draft, options);
}

/** `line 12: http.get('https://…')`. @type {(text: string) => string[]} */
function requestsIn(text) {
  const lines = text.split('\n');
  return lines
    .flatMap((line, i) =>
      line.search(REQUEST) >= 0 && !/^\s*(?:\/\/|\*)/.test(line)
        ? [`line ${i + 1}: ${hiddenInScript(line.trim()).slice(0, 120)}`]
        : [],
    )
    .slice(0, MOST_LISTED);
}
