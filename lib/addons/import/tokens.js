import { randomBytes } from 'node:crypto';

import { encodePercent } from '../../core/text/decode.js';
import { mapOperations, mapTexts } from './draft.js';

/** @import { FlowDraft } from './import.js' */

/**
 * Begins our own tokens until their draft is settled. No document has it, so no text of others becomes a token:
 * neither as it is written, nor decoded, joined with another one, or without some of its characters.
 */
const OWN = `own${randomBytes(12).toString('hex')}`;
const MARKS = new RegExp(OWN, 'g');
/** The beginning of a token that others wrote. */
const FOREIGN = new RegExp(`#(?=[{<]\\s*(?!${OWN})[\\w#])`, 'g');
const OWN_TOKENS = new RegExp(`(#\\{${OWN}[^{}]*\\})`);

/** The variable whose value is `#`. */
export const HASH = 'hash';

/** Writes a token of the flow: `#{env.NAME}` of `env.NAME`. @type {(source: string) => string} */
export function token(source) {
  return `#{${OWN}${source}}`;
}

/**
 * Reports whether a text has one of our own tokens, whose source begins so.
 * @type {(text: string, start?: string) => boolean}
 */
export function hasToken(text, start = '') {
  return text.includes(`#{${OWN}${start}`);
}

/** Reports whether a text would have a token that others wrote. @type {(text: string) => boolean} */
export function hasForeignToken(text) {
  return text.search(FOREIGN) >= 0;
}

/** Writes our own tokens as the flow has them. @type {(text: string) => string} */
export function withoutMarks(text) {
  return text.replace(MARKS, '');
}

/** Replaces our own tokens. @type {(text: string, by: () => string) => string} */
export function replaceTokens(text, by) {
  return text
    .split(OWN_TOKENS)
    .map((part, i) => (i % 2 === 1 ? by() : part))
    .join('');
}

/** Encodes a text for a URL. Tokens stay: what replaces them is encoded. @type {(text: string) => string} */
export function encodeAroundTokens(text) {
  return text
    .split(OWN_TOKENS)
    .map((part, i) => (i % 2 === 1 ? part : encodePercent(part)))
    .join('');
}

/** Random tokens: their kinds, and their limits and types. */
const RANDOM = /#\{(uuid|random(?:Int|Item|String))((?:\([^{}()]*\))?(?::\w+)?)\}/g;

/**
 * Lets the random values of each operation differ, as in tools that make one at each use. A token has one value per
 * operation, unless a name behind a dot asks for another one.
 * @type {(draft: FlowDraft) => FlowDraft}
 */
export function withOwnRandoms(draft) {
  return mapOperations(draft, (one) => {
    /** @type {Map<string, number>} */
    const counts = new Map();
    const named = (/** @type {string} */ text) =>
      text.replace(RANDOM, (whole, kind, rest) => {
        const count = (counts.get(whole) ?? 0) + 1;
        counts.set(whole, count);
        return count === 1 ? whole : `#{${kind}.${count}${rest}}`;
      });
    return { ...one, operation: mapTexts(one.operation, named) };
  });
}

/**
 * Ends the reading of a source: our own tokens become live, and what looks like a token in the texts of others is sent
 * as it is written. `#{INDEX}` of a document becomes `#{hash}{INDEX}`, with the variable {@link HASH}; where a flow has
 * no variables, `# {INDEX}`. Every reader calls it once, after it has decoded and joined all texts.
 * @type {(draft: FlowDraft) => FlowDraft}
 */
export function settle(draft) {
  let isEscaped = false;
  const escaped = (/** @type {string} */ text) => {
    const safe = text.replace(FOREIGN, `#{${HASH}}`);
    isEscaped ||= safe !== text;
    return withoutMarks(safe);
  };
  const broken = (/** @type {string} */ text) => withoutMarks(text.replace(FOREIGN, '# '));
  /** A name and what a capture reads are no templates. @type {Record<string, (text: string) => string>} */
  const others = { name: broken, capture: broken };
  const { phases: _, scenarios: __, baseUrl, properties, ...remarks } = draft;
  const { headers, ...constants } = properties ?? {};
  const { phases, scenarios } = mapOperations(draft, ({ operation, ...rest }) => ({
    ...mapTexts(rest, withoutMarks),
    operation: Object.fromEntries(
      Object.entries(operation).map(([key, value]) => [key, mapTexts(value, others[key] ?? escaped)]),
    ),
  }));
  /** @type {Record<string, any>} */
  const written = {
    ...(headers !== undefined && { headers: mapTexts(headers, escaped) }),
    ...mapTexts(constants, broken),
  };
  const base = baseUrl === undefined ? undefined : escaped(baseUrl);
  if (isEscaped) written.vars = { ...written.vars, [HASH]: '#' };
  return {
    ...mapTexts(remarks, withoutMarks),
    ...(base !== undefined && { baseUrl: base }),
    ...((properties ?? written.vars) && { properties: written }),
    phases,
    ...(scenarios && { scenarios }),
    isSettled: true,
  };
}
