import { isSecretName } from '../../text/mask.js';
import { isRecord, itemsOf, member, membersOf } from '../read-document.js';
import { breakTokens } from '../draft.js';
import { variableName } from '../environment-names.js';
import { tokenName } from '../variables.js';

/** Items of a list that are rows of the flow. */
const MOST_ITEMS = 50;

/** The values of `{{ name }}` in a script: fields of payloads, variables, captured values, functions. */
export class ArtilleryValues {
  /** Tokens by the names of the script. @type {Map<string, string>} */
  #tokens = new Map();
  /** @type {Map<string, string>} */
  #addresses = new Map();
  #keepsSecrets;
  /** `data` and `vars` of the flow. @type {{ data?: Record<string, any>, vars?: Record<string, any> }} */
  properties = {};
  /** @type {string[]} */
  notes = [];

  /**
   * @param {any} config
   * @param {(what: string, why: string) => void} skip
   * @param {{ keepSecrets?: boolean }} options
   */
  constructor(config, skip, { keepSecrets = false }) {
    this.#keepsSecrets = keepSecrets;
    for (const [i, payload] of [member(config, 'payload') ?? []].flat().entries()) this.#addPayload(payload, i, skip);
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
        file: path,
        order,
        ...(skipHeader !== true && { columns }),
        ...(typeof delimiter === 'string' && delimiter !== ',' && { delimiter }),
      },
    };
    if (skipHeader === true)
      this.notes.push(
        `The columns of ${path} have the names of its first line; Artillery called them ${fields.join(', ')}.`,
      );
    for (const [at, field] of fields.entries()) this.#tokens.set(field, `#{${name}.${columns[at]}}`);
  }

  /** @type {(name: string, value: any) => void} */
  #addVariable(name, value) {
    const items = Array.isArray(value) ? value : [value];
    const texts = items.map(String);
    if (texts.length === 1 && /^https?:\/\//i.test(texts[0])) this.#addresses.set(name, texts[0]);
    if (texts.length > 1 && isSecretName(name) && !this.#keepsSecrets) {
      this.#tokens.set(name, `#{env.${variableName(name)}}`);
      this.notes.push(`The variable ${name} is a list of ${texts.length} secrets: one is read from the environment.`);
      return;
    }
    const token = tokenName(name);
    if (texts.length > 1 && texts.length <= MOST_ITEMS && items.every((one) => typeof one !== 'object')) {
      // All requests of a virtual user have the same item.
      const rows = texts.map((text) => ({ value: text }));
      this.properties.data = { ...this.properties.data, [token]: { rows, order: 'random' } };
      this.#tokens.set(name, `#{${token}.value}`);
      return;
    }
    this.properties.vars = { ...this.properties.vars, [token]: items[0] };
    this.#tokens.set(name, `#{${token}}`);
    if (texts.length > 1) this.notes.push(`The variable ${name} is the first of ${texts.length} values.`);
  }

  /** Lets a name stand for a captured value. @type {(name: string) => string} the name of its token */
  capture(name) {
    const token = tokenName(name);
    this.#tokens.set(name, `#{${token}}`);
    return token;
  }

  /** Replaces `{{ name }}` by tokens. @type {(text: string) => string} */
  text(text) {
    return breakTokens(text).replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (whole, given) => this.#tokenFor(given, whole));
  }

  /** Replaces them in the address of the target. @type {(url: string) => string} */
  address(url) {
    return this.text(url.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name) => this.#addresses.get(name) ?? whole));
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
    if (variable !== undefined) return `#{env.${variable}}`;
    const [, from, to] = /^\$randomNumber\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(given) ?? [];
    if (from !== undefined) return `#{randomInt(${from},${to})}`;
    const [, length] = /^\$randomString\(\s*(\d*)\s*\)$/.exec(given) ?? [];
    if (length !== undefined) return `#{randomString(${length || 10})}`;
    if (/^\$(?:uuid|randomUUID)(?:\(\))?$/.test(given)) return '#{uuid}';
    if (/^\$timestamp$/.test(given)) return '#{timestampMs}';
    if (/^[A-Za-z_]\w*$/.test(given)) {
      this.notes.push(`{{ ${given} }} is set by a function, or nowhere: it is read from the environment.`);
      return `#{env.${variableName(given)}}`;
    }
    this.notes.push(`${whole} is not understood.`);
    return given;
  }
}
