import { createHash } from 'node:crypto';

/**
 * Computes SHA-256 (64 hexadecimal digits) of the content of a flow as it was read, with the source text of its hooks:
 * results of the same flow have the same hash.
 * @type {(flow: unknown) => string}
 */
export function hashFlow(flow) {
  /** @type {unknown[]} */
  const above = [];
  /** @type {(value: any) => string} */
  const write = (value) => {
    if (typeof value === 'function') return `function ${value}`;
    if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`;
    if (value instanceof Date) return `Date ${value.getTime()}`;
    if (value instanceof RegExp || value instanceof URL) return `${value.constructor.name} ${value}`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value);
    if (above.includes(value)) return 'itself';
    above.push(value);
    const text = Array.isArray(value)
      ? `[${value.map(write)}]`
      : `{${Object.keys(value)
          .sort()
          .map((key) => `${JSON.stringify(key)}:${write(value[key])}`)}}`;
    above.pop();
    return text;
  };
  return createHash('sha256').update(write(flow)).digest('hex');
}
