import { METHOD_KEYS, draftOf, jsonPathOf, requestOf } from '../draft.js';
import { isRecord, itemsOf, member, membersOf } from '../read-document.js';

/** @import { OperationDraft } from '../../contracts/import.js' */
/** @import { ArtilleryValues } from './values.js' */

/** @typedef {{ values: ArtilleryValues, skip: (what: string, why: string) => void }} StepContext */

/** Requests that a loop is written out to, and loops in loops. */
const [MOST_WRITTEN, MOST_LEVELS] = [20, 5];

/** @type {(flow: any, name: string, context: StepContext, depth?: number) => OperationDraft[]} */
export function stepsOf(flow, name, context, depth = 0) {
  /** @type {OperationDraft[]} */
  const drafts = [];
  for (const step of itemsOf(flow)) {
    if (!isRecord(step)) continue;
    const method = METHOD_KEYS.find((one) => step[one] !== undefined);
    if (method !== undefined) drafts.push(...requestsOf(method, step[method], name, context));
    else if (step.think !== undefined) addPause(drafts.at(-1), step.think, name, context);
    else if (step.loop !== undefined) drafts.push(...loopOf(step, name, context, depth));
    else if (step.log === undefined)
      context.skip(`${Object.keys(step)[0] ?? 'a step'} of ${name}`, 'it is not translated');
  }
  return drafts;
}

/** @type {(draft: OperationDraft | undefined, think: any, name: string, context: StepContext) => void} */
function addPause(draft, think, name, { skip, values }) {
  const [, number, unit = 's'] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m)?/.exec(String(think)) ?? [];
  if (draft === undefined || number === undefined)
    return skip(`think ${values.text(String(think))} of ${name}`, draft ? 'it is no time' : 'no request is before it');
  draft.operation.pause = unit === 'ms' ? Number(number) : `${number}${unit}`;
}

/** @type {(step: Record<string, any>, name: string, context: StepContext, depth: number) => OperationDraft[]} */
function loopOf({ loop, count, whileTrue, over }, name, context, depth) {
  const inner = depth < MOST_LEVELS ? stepsOf(loop, name, context, depth + 1) : [];
  const times = Number(count);
  if (whileTrue !== undefined || over !== undefined || !(times >= 1)) {
    context.skip(`the loop of ${name}`, 'only loops with a count are translated: its requests are sent once');
    return inner;
  }
  if (inner.length === 1) return [{ ...inner[0], operation: { ...inner[0].operation, repeat: times } }];
  if (inner.length * times <= MOST_WRITTEN) return new Array(times).fill(inner).flat();
  context.skip(
    `the loop of ${name}`,
    `${times} times ${inner.length} requests are too many to write out: they are sent once`,
  );
  return inner;
}

/** @type {(method: string, given: any, name: string, context: StepContext) => OperationDraft[]} */
function requestsOf(method, given, name, { values, skip }) {
  const request = typeof given === 'string' ? { url: given } : given;
  const url = member(request, 'url') ?? member(request, 'uri');
  if (typeof url !== 'string') {
    skip(`${method} of ${name}`, 'it has no url');
    return [];
  }
  /** @type {string[]} */
  const comments = [];
  for (const key of ['beforeRequest', 'afterResponse', 'ifTrue'])
    if (request[key] !== undefined) comments.push(`${key} is left out: ${JSON.stringify(request[key])}.`);
  const captures = capturesOf(request.capture, values, comments);
  const { followRedirect, gzip, name: title } = request;
  const operation = {
    ...requestOf(method.toUpperCase(), values.text(url)),
    ...(typeof title === 'string' && { name: title }),
    ...contentOf(request, values),
    ...(followRedirect === false && { followRedirect: false }),
    ...(gzip === true && { gzip: true }),
    ...expectOf(request, values, comments),
    ...(Object.keys(captures).length > 0 && { capture: captures }),
  };
  return [draftOf(operation, comments)];
}

/**
 * Query, header fields, credentials and body.
 * @type {(request: Record<string, any>, values: ArtilleryValues) => Record<string, any>}
 */
function contentOf({ qs, headers, cookie, json, body, form, formData, auth }, values) {
  const { user, username, pass, password } = isRecord(auth) ? auth : /** @type {Record<string, any>} */ ({});
  return {
    ...(isRecord(qs) && { qs: values.value(qs) }),
    ...(isRecord(headers) && { headers: values.value(headers) }),
    ...(isRecord(cookie) && { cookies: values.value(cookie) }),
    ...(isRecord(auth) && {
      auth: { user: values.text(String(user ?? username ?? '')), pass: values.text(String(pass ?? password ?? '')) },
    }),
    ...(json !== undefined && { json: values.value(json) }),
    ...(typeof body === 'string' && { body: values.text(body) }),
    ...(isRecord(form) && { form: values.value(form) }),
    ...(isRecord(formData) && { formData: formPartsOf(formData, values) }),
  };
}

/** @type {(formData: Record<string, any>, values: ArtilleryValues) => Record<string, any>} */
function formPartsOf(formData, values) {
  return Object.fromEntries(
    Object.entries(formData).map(([name, value]) => [
      name,
      typeof member(value, 'fromFile') === 'string'
        ? { file: values.text(value.fromFile) }
        : isRecord(value)
          ? values.text(String(value.value ?? ''))
          : values.text(String(value)),
    ]),
  );
}

/** @type {(given: any, values: ArtilleryValues, comments: string[]) => Record<string, any>} */
function capturesOf(given, values, comments) {
  return Object.fromEntries(
    [given ?? []].flat().flatMap((one) => {
      const as = member(one, 'as');
      if (typeof as !== 'string') return [];
      const { json, header, regexp } = one;
      const source =
        typeof json === 'string'
          ? jsonPathOf(json)
          : typeof header === 'string'
            ? { header: header.toLowerCase() }
            : typeof regexp === 'string'
              ? { text: regexp }
              : undefined;
      if (source === undefined) {
        comments.push(
          `The capture of ${as} is left out: ${Object.keys(one)
            .filter((key) => key !== 'as')
            .join(', ')} has no equivalent.`,
        );
        return [];
      }
      return [[values.capture(as), source]];
    }),
  );
}

/** @typedef {Record<string, any>} Expected */

/** @type {(request: Record<string, any>, values: ArtilleryValues, comments: string[]) => { expect?: Expected }} */
function expectOf({ expect, match }, values, comments) {
  /** @type {Expected} */
  const found = {};
  for (const [name, value] of [expect ?? []].flat().flatMap((one) => membersOf(one)))
    if (Object.hasOwn(EXPECTATIONS, name)) EXPECTATIONS[name](found, value);
    else comments.push(`The expectation ${name} is left out.`);
  for (const one of [match ?? []].flat()) {
    const json = member(one, 'json');
    if (typeof json === 'string') found.json = { ...found.json, [jsonPathOf(json)]: values.value(one.value) };
    else comments.push('A match is left out.');
  }
  return Object.keys(found).length > 0 ? { expect: found } : {};
}

/** @type {Record<string, (found: Expected, value: any) => void>} */
const EXPECTATIONS = {
  statusCode(found, value) {
    const statuses = [value]
      .flat()
      .map(Number)
      .filter((status) => status >= 100);
    found.status = statuses.length === 1 ? statuses[0] : statuses;
  },
  contentType: (found, value) => addField(found, 'content-type', `*${value}*`),
  hasHeader: (found, value) => addField(found, String(value), '*'),
  headerEquals: (found, value) => addField(found, String([value].flat()[0]), String([value].flat()[1])),
};

/** @type {(found: Expected, name: string, value: string) => void} */
function addField(found, name, value) {
  found.headers = { ...found.headers, [name]: value };
}
