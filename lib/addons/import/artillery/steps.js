import { isSecretName } from '../../../core/text/mask.js';
import { METHOD_KEYS, draftOf, jsonPathOf, mapTexts, pathInFlow, requestOf, rowsInFlow } from '../draft.js';
import { variableName } from '../environment-names.js';
import { isRecord, itemsOf, member, membersOf } from '../read-document.js';
import { hasForeignToken, hasToken, token as tokenOf } from '../tokens.js';
import { freeName, tokenName } from '../variables.js';

/** @import { ImportOptions, OperationDraft } from '../import.js' */

/** @typedef {{ values: ArtilleryValues, skip: (what: string, why: string) => void }} StepContext */

/** Requests that a loop is written out to, and loops in loops. */
const [MOST_WRITTEN, MOST_LEVELS] = [20, 5];

/**
 * Translates the steps of a flow: requests, pauses, and loops, which have steps themselves. `name` is that of the flow
 * in messages.
 * @type {(flow: any, name: string, context: StepContext, depth?: number) => OperationDraft[]}
 */
export function stepsOf(flow, name, context, depth = 0) {
  /** @type {OperationDraft[]} */
  const drafts = [];
  for (const step of itemsOf(flow)) {
    if (!isRecord(step)) continue;
    const method = METHOD_KEYS.find((one) => step[one] !== undefined);
    if (method !== undefined) drafts.push(...requestsOf(method, step[method], name, context));
    else if (step.think !== undefined) addPause(drafts, step.think, name, context);
    else if (step.loop !== undefined) drafts.push(...loopOf(step, name, context, depth));
    else if (step.parallel !== undefined && depth < MOST_LEVELS) {
      context.skip(`parallel of ${name}`, 'its requests are sent one after the other');
      drafts.push(...stepsOf(step.parallel, name, context, depth + 1));
    } else if (step.log === undefined)
      context.skip(`${Object.keys(step)[0] ?? 'a step'} of ${name}`, 'it is not translated');
  }
  return drafts;
}

/**
 * Adds think time to the last request; after a loop, to its last round only.
 * @type {(drafts: OperationDraft[], think: any, name: string, context: StepContext) => void}
 */
function addPause(drafts, think, name, { skip, values }) {
  const seconds = secondsOf(think);
  const last = drafts.at(-1);
  if (last === undefined || seconds === undefined)
    return skip(`think ${values.text(String(think))} of ${name}`, last ? 'it is no time' : 'no request is before it');
  const { repeat = 1, pause = '0s', ...operation } = last.operation;
  const earlier = repeat > 1 ? [repeated(last, repeat - 1)] : [];
  const whole = `${Number((parseFloat(pause) + seconds).toFixed(3))}s`;
  drafts.splice(-1, 1, ...earlier, { ...last, operation: { ...operation, pause: whole } });
}

/** @type {(draft: OperationDraft, times: number) => OperationDraft} */
function repeated(draft, times) {
  const { repeat: _rounds, ...operation } = draft.operation;
  return { ...draft, operation: times > 1 ? { ...operation, repeat: times } : operation };
}

/** An object has no text: its placeholder stays. @type {(value: unknown, placeholder: string) => string} */
function elementText(value, placeholder) {
  return typeof value === 'object' ? placeholder : String(value ?? placeholder);
}

/** @type {(step: Record<string, any>, name: string, context: StepContext, depth: number) => OperationDraft[]} */
function loopOf({ loop, count, whileTrue, over }, name, context, depth) {
  const skip = (/** @type {string} */ why) => context.skip(`the loop of ${name}`, why);
  if (depth === MOST_LEVELS) {
    skip('it is in too many loops');
    return [];
  }
  // Think time needs a request before it: move that at the beginning of a loop to its end.
  const steps = itemsOf(loop);
  const first = steps.findIndex((step) => member(step, 'think') === undefined);
  const ordered = [...steps.slice(first), ...steps.slice(0, first)];
  const elements = Array.isArray(over) ? over : undefined;
  const [, from = 0, to = count] = /^(\d+)-(\d+)$/.exec(String(count)) ?? [];
  const start = elements ? 0 : Number(from);
  const round = (/** @type {number} */ i) => {
    const filled = (/** @type {string} */ text) =>
      text
        .replace(/\{\{\s*\$loopCount\s*\}\}/g, String(start + i))
        .replace(/\{\{\s*\$loopElement\s*\}\}/g, (whole) => elementText(elements ? elements[i] : start + i, whole));
    return stepsOf(mapTexts(ordered, filled), name, context, depth + 1);
  };
  const inner = round(0);
  const times = elements?.length ?? Number(to) - start;
  if (whileTrue !== undefined || (over !== undefined && !elements) || !Number.isInteger(times) || times < 1) {
    skip('only loops with a count or a list are translated: its requests are sent once');
    return inner;
  }
  const isNumbered = /\$loop(?:Count|Element)/.test(JSON.stringify(ordered));
  return roundsOf(inner, times, { skip, round: isNumbered ? round : () => inner, isNumbered });
}

/**
 * Writes the rounds of a loop, of which `inner` is the first one, as one repeated operation or one after the other.
 * @type {(inner: OperationDraft[], times: number, loop: { skip: (why: string) => void, round: (i: number) =>
 *   OperationDraft[], isNumbered: boolean }) => OperationDraft[]}
 */
function roundsOf(inner, times, { skip, round, isNumbered }) {
  const hasRandoms = ['uuid', 'random'].some((kind) => hasToken(JSON.stringify(inner), kind));
  const isLong = inner.length * times > MOST_WRITTEN;
  if (inner.length === 1 && !isNumbered && (isLong || !hasRandoms)) {
    if (hasRandoms) skip('its random values are the same in all rounds');
    return [repeated(inner[0], times * (inner[0].operation.repeat ?? 1))];
  }
  if (isLong) {
    skip(`${times} times ${inner.length} requests are too many to write out: they are sent once`);
    return inner;
  }
  if (inner.length === 0) return [];
  return Array.from({ length: times }, (_, i) => (i === 0 ? inner : round(i))).flat();
}

/** Reads a time of Artillery: `2`, `500ms`, `1 minute`. @type {(given: unknown) => number | undefined} */
export function secondsOf(given) {
  const [, number, unit = 's'] =
    /^\s*(\d+(?:\.\d+)?)\s*(ms|s|sec|seconds?|m|min|minutes?|h|hours?)?\s*$/.exec(String(given)) ?? [];
  if (number === undefined) return undefined;
  const factor = unit === 'ms' ? 0.001 : /^m/.test(unit) ? 60 : /^h/.test(unit) ? 3600 : 1;
  return Number(number) * factor;
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
  const { followRedirect, gzip, name: title } = request;
  // `qs` replaces the query of the URL.
  const address = isRecord(request.qs) ? url.replace(/\?.*/s, '') : url;
  const sent = { ...requestOf(method.toUpperCase(), values.text(address)), ...contentOf(request, values) };
  // Captured values replace others of their names after this request, so its own texts come first.
  const captures = capturesOf(request.capture, values, comments);
  const operation = {
    ...sent,
    ...(typeof title === 'string' && { name: title }),
    ...(followRedirect === false && { followRedirect: false }),
    ...(gzip === true && { gzip: true }),
    ...expectOf(request, values, comments),
    ...(Object.keys(captures).length > 0 && { capture: captures }),
  };
  return [draftOf(operation, comments)];
}

/** @type {(request: Record<string, any>, values: ArtilleryValues) => Record<string, any>} */
function contentOf({ qs, headers, cookie, json, body, form, formData, auth }, values) {
  const { user, username, pass, password } = isRecord(auth) ? auth : /** @type {Record<string, any>} */ ({});
  return {
    ...(isRecord(qs) && { qs: values.value(qs) }),
    ...(isRecord(headers) && { headers: values.value(headers) }),
    ...(isRecord(cookie) && { cookies: values.value(cookie) }),
    ...(isRecord(auth) && {
      auth: { user: values.text(String(user ?? username ?? '')), pass: values.text(String(pass ?? password ?? '')) },
    }),
    ...(json !== undefined && { json: mapTexts(values.value(json), (text) => values.jsonText(text)) }),
    ...(typeof body === 'string' && { body: values.text(body) }),
    ...(isRecord(form) && { form: values.value(form) }),
    ...(isRecord(formData) && { formData: formPartsOf(formData, values) }),
  };
}

/** @type {(formData: Record<string, any>, values: ArtilleryValues) => Record<string, any>} */
function formPartsOf(formData, values) {
  const partOf = (/** @type {any} */ value) => {
    if (!isRecord(value)) return values.text(String(value));
    const { fromFile, value: text = '' } = value;
    return typeof fromFile === 'string' ? { file: values.file(values.text(fromFile)) } : values.text(String(text));
  };
  return Object.fromEntries(Object.entries(formData).map(([name, value]) => [name, partOf(value)]));
}

/** Translates what a capture reads. @type {Record<string, (given: string) => string | Record<string, string>>} */
const CAPTURES = {
  json: jsonPathOf,
  header: (name) => ({ header: name.toLowerCase() }),
  regexp: (pattern) => ({ text: pattern }),
};

/** @type {(given: any, values: ArtilleryValues, comments: string[]) => Record<string, any>} */
function capturesOf(given, values, comments) {
  return Object.fromEntries(
    [given ?? []].flat().flatMap((one) => {
      if (!isRecord(one) || typeof one.as !== 'string') return [];
      const { as, ...sources } = one;
      const kind = Object.keys(CAPTURES).find((name) => typeof sources[name] === 'string');
      if (kind !== undefined) return [[values.capture(as), CAPTURES[kind](sources[kind])]];
      comments.push(`The capture of ${as} is left out: ${Object.keys(sources).join(', ')} has no equivalent.`);
      return [];
    }),
  );
}

/** @typedef {Record<string, any>} Expected */

/** @type {(request: Record<string, any>, values: ArtilleryValues, comments: string[]) => { expect?: Expected }} */
function expectOf({ expect, match }, values, comments) {
  /** @type {Expected} */
  const found = {};
  for (const [name, value] of [expect ?? []].flat().flatMap((one) => membersOf(one)))
    if (!Object.hasOwn(EXPECTATIONS, name) || EXPECTATIONS[name](found, value) === false)
      comments.push(`The expectation ${name} is left out.`);
  for (const one of [match ?? []].flat()) {
    const json = member(one, 'json');
    if (typeof json === 'string') found.json = { ...found.json, [jsonPathOf(json)]: values.value(one.value) };
    else comments.push('A match is left out.');
  }
  return Object.keys(found).length > 0 ? { expect: found } : {};
}

/** False: the value has no equivalent. @type {Record<string, (found: Expected, value: any) => boolean | void>} */
const EXPECTATIONS = {
  statusCode(found, value) {
    const statuses = [value]
      .flat()
      .map(Number)
      .filter((status) => status >= 100);
    if (statuses.length === 0) return false;
    found.status = statuses.length === 1 ? statuses[0] : statuses;
    return true;
  },
  contentType: (found, value) => addField(found, 'content-type', `*${value}*`),
  hasHeader: (found, value) => addField(found, String(value), '*'),
  headerEquals: (found, value) => addField(found, String([value].flat()[0]), String([value].flat()[1])),
};

/** @type {(found: Expected, name: string, value: string) => void} */
function addField(found, name, value) {
  found.headers = { ...found.headers, [name]: value };
}

/** The UUID of a virtual user, which is the same at each use. */
export const UUID = 'uuid.user';
/** Items of a list that are rows of the flow. */
const MOST_ITEMS = 50;

/** The values of `{{ name }}` in a script: fields of payloads, variables, captured values, functions. */
export class ArtilleryValues {
  /** Tokens by the names of the script. @type {Map<string, string>} */
  #tokens = new Map();
  /** Variables that are URLs: the target may be one of them. @type {Map<string, string>} */
  #addresses = new Map();
  #options;
  /** `data` and `vars` of the flow. @type {{ data?: Record<string, any>, vars?: Record<string, any> }} */
  properties = {};
  /** @type {string[]} */
  notes = [];

  /**
   * @param {any} config
   * @param {(what: string, why: string) => void} skip
   * @param {ImportOptions} options
   */
  constructor(config, skip, options) {
    this.#options = options;
    for (const [i, payload] of [member(config, 'payload') ?? []].flat().entries()) this.#addPayload(payload, i, skip);
    const target = member(config, 'target');
    if (typeof target === 'string' && !target.includes('{{')) this.#tokens.set('target', target);
    for (const [name, value] of membersOf(member(config, 'variables'))) this.#addVariable(name, value);
  }

  /** @type {(payload: any, i: number, skip: (what: string, why: string) => void) => void} */
  #addPayload(payload, i, skip) {
    const path = member(payload, 'path');
    const fields = itemsOf(member(payload, 'fields')).map(String);
    if (typeof path !== 'string' || fields.length === 0)
      return skip(`payload ${i + 1}`, 'it has no path, or no fields');
    const name = i === 0 ? 'payload' : `payload${i + 1}`;
    const order = member(payload, 'order') === 'sequence' ? 'sequential' : 'random';
    const columns = fields.map((field) => field.replace(/[^\w-]/g, '_'));
    const { delimiter, skipHeader } = payload;
    this.properties.data = {
      ...this.properties.data,
      [name]: {
        file: rowsInFlow(path, this.#options),
        order,
        ...(skipHeader !== true && { columns }),
        ...(typeof delimiter === 'string' && delimiter !== ',' && { delimiter }),
      },
    };
    if (skipHeader === true)
      this.notes.push(
        `The columns of ${path} have the names of its first line; Artillery called them ${fields.join(', ')}.`,
      );
    for (const [at, field] of fields.entries()) this.#tokens.set(field, tokenOf(`${name}.${columns[at]}`));
  }

  /** @type {(name: string, value: any) => void} */
  #addVariable(name, value) {
    const items = [value].flat();
    if (items.length === 0) return;
    const texts = items.map(String);
    if (texts.length === 1 && /^https?:\/\//i.test(texts[0])) this.#addresses.set(name, texts[0]);
    if (texts.length > 1 && isSecretName(name) && !this.#options.keepSecrets) {
      this.#tokens.set(name, tokenOf(`env.${variableName(name)}`));
      this.notes.push(`The variable ${name} is a list of ${texts.length} secrets: one is read from the environment.`);
      return;
    }
    if (texts.length === 1 && (hasForeignToken(texts[0]) || texts[0].includes('{{'))) {
      // A variable of a flow is no template, and cannot escape one.
      this.#tokens.set(name, this.text(texts[0]));
      return;
    }
    const { data, vars } = this.properties;
    const token = freeName(tokenName(name), (one) => [data, vars].some((all) => member(all, one) !== undefined));
    if (texts.length > 1 && texts.length <= MOST_ITEMS && items.every((one) => typeof one !== 'object')) {
      // All requests of a virtual user have the same item.
      const rows = texts.map((text) => ({ value: text }));
      this.properties.data = { ...this.properties.data, [token]: { rows, order: 'random' } };
      this.#tokens.set(name, tokenOf(`${token}.value`));
      return;
    }
    this.properties.vars = { ...this.properties.vars, [token]: items[0] };
    this.#tokens.set(name, tokenOf(token));
    if (texts.length > 1) this.notes.push(`The variable ${name} is the first of ${texts.length} values.`);
  }

  /** Reads a flow: its captures end with it. @type {<T>(read: () => T) => T} */
  scoped(read) {
    const tokens = this.#tokens;
    this.#tokens = new Map(tokens);
    const result = read();
    this.#tokens = tokens;
    return result;
  }

  /** Lets a name be that of a captured value. @type {(name: string) => string} the name of its token */
  capture(name) {
    const token = freeName(tokenName(name), (one) => member(this.properties.data, one) !== undefined);
    this.#tokens.set(name, tokenOf(token));
    return token;
  }

  /** Names a file of the folder of the script as the flow does. @type {(path: string) => string} */
  file(path) {
    return pathInFlow(path, this.#options);
  }

  /** Replaces `{{ name }}` by tokens. @type {(text: string) => string} */
  text(text) {
    const double = text.replace(/\{(\{\{[^{}]+\}\})\}/g, '$1');
    return double.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (whole, given) => this.#tokenFor(given, whole));
  }

  /** Replaces them in the address of the target. @type {(url: string) => string} */
  address(url) {
    return this.text(url.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name) => this.#addresses.get(name) ?? whole));
  }

  /** A number of a function, and of a payload, is text in JSON. @type {(text: string) => string} */
  jsonText(text) {
    if (/^#\{\w+payload\d*\.[^{}]*\}$/.test(text))
      this.notes.push(
        'Fields of the payload are texts in JSON: write those that are numbers as #{payload.field:number}.',
      );
    return /^#\{\w+randomInt\([^{}]*\}$/.test(text) ? text.replace(/\}$/, ':text}') : text;
  }

  /** Replaces them in all texts; a text that is one of them may become a number. @type {(value: any) => any} */
  value(value) {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.value(one));
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [this.text(key), this.value(one)]))
      : value;
  }

  /** @type {(given: string, whole: string) => string} */
  #tokenFor(given, whole) {
    const known = this.#tokens.get(given.replace(/\[\d+\]$/, ''));
    if (known !== undefined) return known;
    const [, variable] = /^\$(?:process)?[eE]nvironment\.(\w+)$/.exec(given) ?? /^\$env\.(\w+)$/.exec(given) ?? [];
    if (variable !== undefined) return tokenOf(`env.${variable}`);
    const [, from, to] = /^\$randomNumber\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(given) ?? [];
    if (from !== undefined) return tokenOf(`randomInt(${from},${to})`);
    const [, length] = /^\$randomString\(\s*(\d*)\s*\)$/.exec(given) ?? [];
    if (length !== undefined) return tokenOf(`randomString(${length || 10})`);
    if (given === '$uuid') return tokenOf(UUID);
    if (/^\$(?:uuid\(\)|randomUUID(?:\(\))?)$/.test(given)) return tokenOf('uuid');
    if (/^\$timestamp$/.test(given)) return tokenOf('timestampMs');
    if (/^[A-Za-z_]\w*$/.test(given)) {
      this.notes.push(`{{ ${given} }} is set by a function, or nowhere: it is read from the environment.`);
      return tokenOf(`env.${variableName(given)}`);
    }
    this.notes.push(`${whole} is not understood.`);
    return given;
  }
}
