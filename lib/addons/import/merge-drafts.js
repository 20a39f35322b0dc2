import { PHASES } from '../../core/ground/phases.js';
import { mapOperations, mapTexts, mapUrls, newDraft, operationsOf } from './draft.js';
import { member } from './read-document.js';
import { freeName } from './variables.js';

/** @import { FlowDraft } from './import.js' */

/**
 * Joins drafts in their order: the first base URL is that of the flow, and URLs below another one are whole. Variables,
 * captures and data of later drafts get other names where these are taken, and header fields of all requests become
 * those of each. Of two values of one option the first one stays, and the other one is named. None of the drafts has
 * scenarios: the command refuses these before.
 * @type {(drafts: FlowDraft[]) => FlowDraft}
 */
export function mergeDrafts(drafts) {
  if (drafts.length === 1) return drafts[0];
  const baseUrl = drafts.find((draft) => draft.baseUrl !== undefined)?.baseUrl;
  const merged = newDraft(baseUrl === undefined ? {} : { baseUrl });
  /** The names of variables, captures and data of the drafts so far, with their values. @type {Map<string, unknown>} */
  const taken = new Map();
  for (const given of drafts) {
    const draft = withFreeNames(withOwnHeaders(given), taken);
    const hasOtherBase = draft.baseUrl !== undefined && draft.baseUrl !== baseUrl;
    const whole = hasOtherBase ? mapUrls(draft, (url) => withBase(url, String(draft.baseUrl))) : draft;
    for (const name of PHASES) append(merged.phases[name], whole.phases[name]);
    if (draft.properties) merged.properties = joined(merged.properties ?? {}, draft.properties, merged.dialectNotes);
    append(merged.comments, draft.comments);
    append(merged.skipped, draft.skipped);
    append(merged.dialectNotes, draft.dialectNotes);
    const known = merged.environment.map(({ name }) => name);
    merged.environment.push(...draft.environment.filter(({ name }) => !known.includes(name)));
  }
  return merged;
}

/** `push(...more)` would exceed the stack by 100,000 items. @type {<T>(all: T[], more: T[]) => void} */
function append(all, more) {
  for (const item of more) all.push(item);
}

/** @type {(draft: FlowDraft) => FlowDraft} */
function withOwnHeaders(draft) {
  const { headers, ...properties } = /** @type {Record<string, any>} */ (draft.properties ?? {});
  if (headers === undefined) return draft;
  const own = mapOperations(draft, (one) => {
    const names = Object.keys(one.operation.headers ?? {}).map((name) => name.toLowerCase());
    const common = Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase()));
    const all = { ...Object.fromEntries(common), ...one.operation.headers };
    return { ...one, operation: { ...one.operation, headers: all } };
  });
  return { ...own, properties };
}

/**
 * Renames what has a name that another draft has with another value, and adds its names to `taken`.
 * @type {(draft: FlowDraft, taken: Map<string, unknown>) => FlowDraft}
 */
function withFreeNames(draft, taken) {
  const { vars = {}, data = {} } = /** @type {Record<string, any>} */ (draft.properties ?? {});
  const captured = operationsOf(draft).flatMap(({ operation }) => Object.keys(operation.capture ?? {}));
  /** Texts of the values by their names: two drafts share a name if these are equal. @type {Map<string, unknown>} */
  const own = new Map();
  for (const [name, value] of Object.entries({ ...vars, ...data })) own.set(name, JSON.stringify(value));
  // An object equals no other one: captures of two drafts never have the same value.
  for (const name of captured) own.set(name, {});
  /** @type {Map<string, string>} */
  const renamed = new Map();
  for (const [name, value] of own) {
    const free = freeName(name, (candidate) => {
      const isOfEarlierDraft = taken.has(candidate) && taken.get(candidate) !== value;
      const isOfThisDraft = candidate !== name && own.has(candidate);
      return isOfEarlierDraft || isOfThisDraft;
    });
    taken.set(free, value);
    if (free !== name) renamed.set(name, free);
  }
  return renamed.size === 0 ? draft : withNewNames(draft, renamed);
}

/**
 * Renames variables, captures and data where they are declared, and in the tokens that read them.
 * @type {(draft: FlowDraft, renamed: Map<string, string>) => FlowDraft}
 */
function withNewNames(draft, renamed) {
  const nameOf = (/** @type {string} */ name) => renamed.get(name) ?? name;
  /** @type {<T>(value: T) => T} */
  const translated = (value) =>
    mapTexts(value, (text) => text.replace(/(#[{<])(\w+)/g, (_, sign, name) => sign + nameOf(name)));
  /** @type {(members: Record<string, unknown>) => Record<string, unknown>} */
  const withNames = (members) =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [nameOf(name), value]));
  const properties = translated({ ...draft.properties });
  for (const key of ['vars', 'data'])
    if (properties[key]) properties[key] = withNames(/** @type {any} */ (properties[key]));
  return {
    ...mapOperations(draft, (one) => {
      const { capture, ...operation } = translated(one.operation);
      return { ...one, operation: { ...operation, ...(capture && { capture: withNames(capture) }) } };
    }),
    properties,
  };
}

/** @typedef {Record<string, any>} Members */

/**
 * Adds the properties of a draft to those of the flow; a note names each that the flow has with another value.
 * @type {(all: Members, more: Members, notes: string[], path?: string) => Members}
 */
function joined(all, more, notes, path = '') {
  const whole = { ...all };
  for (const [key, value] of Object.entries(more)) {
    const known = member(whole, key);
    const isObject = [known, value].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
    if (known === undefined) whole[key] = value;
    else if (isObject) whole[key] = joined(known, value, notes, `${path}${key}.`);
    else if (JSON.stringify(known) !== JSON.stringify(value))
      notes.push(`Several sources have ${path}${key}: the flow has that of the first one.`);
  }
  return whole;
}

/** @type {(url: string, baseUrl: string) => string} */
function withBase(url, baseUrl) {
  return url.startsWith('/') ? baseUrl.replace(/\/$/, '') + url : url;
}
