import { Fields, withoutSpace } from '../fields.js';

/** A response of undici; its fields are parsed when first read. */
export class UndiciResponse {
  #rawFields;
  /** @type {Record<string, string | string[]> | null} */
  #headers = null;
  statusMessage = '';
  /** @type {Buffer | null} */
  excerpt = null;
  /** @type {import('../types.js').Response['request']} */
  request = undefined;

  /**
   * @param {number} statusCode
   * @param {Buffer[]} rawFields
   * @param {Buffer | null} body
   * @param {number} bodyBytes
   */
  constructor(statusCode, rawFields, body, bodyBytes) {
    this.statusCode = statusCode;
    this.#rawFields = rawFields;
    this.body = body;
    this.bodyBytes = bodyBytes;
  }

  get headers() {
    return (this.#headers ??= readFields(this.#rawFields));
  }

  set headers(headers) {
    this.#headers = headers;
  }

  /** Names and values in turn. */
  get rawHeaders() {
    return this.#rawFields.map((field, i) => {
      const text = field.toString('latin1');
      return i % 2 === 0 ? text : withoutSpace(text);
    });
  }

  get setCookies() {
    return hasName(this.#rawFields, 'set-cookie') ? /** @type {string[]} */ (this.headers['set-cookie']) : null;
  }

  get contentEncoding() {
    return hasName(this.#rawFields, 'content-encoding') ? String(this.headers['content-encoding']) : undefined;
  }
}

/** @type {(rawFields: Buffer[], name: string) => boolean} */
function hasName(rawFields, name) {
  const first = name.charCodeAt(0);
  for (let i = 0; i < rawFields.length; i += 2) {
    const field = rawFields[i];
    // 0x20: the bit between upper and lower case
    if (field.length === name.length && (field[0] | 0x20) === first && field.toString('latin1').toLowerCase() === name)
      return true;
  }
  return false;
}

/** @type {(rawFields: Buffer[]) => Record<string, any>} */
function readFields(rawFields) {
  const fields = new Fields();
  for (let i = 0; i < rawFields.length; i += 2)
    fields.add(rawFields[i].toString('latin1'), rawFields[i + 1].toString('latin1'));
  return fields.toObject();
}
