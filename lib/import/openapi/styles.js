import { encodeAroundTokens } from '../draft.js';
import { isRecord } from '../read-document.js';

/** @import { Parameter } from './endpoints.js' */

/**
 * Serializes a parameter in the path (RFC 6570, as OpenAPI restricts it): `simple`, `label` or `matrix`.
 * @type {(parameter: Parameter, value: any) => string}
 */
export function inPath({ name, style = 'simple', explode = false }, value) {
  if (style === 'label') return `.${joined(value, explode, explode ? '.' : ',', '=')}`;
  if (style !== 'matrix') return joined(value, explode, ',', '=');
  if (!isRecord(value) && !Array.isArray(value)) return `;${name}=${encoded(value)}`;
  if (!explode) return `;${name}=${joined(value, false, ',', ',')}`;
  return Array.isArray(value)
    ? value.map((one) => `;${name}=${encoded(one)}`).join('')
    : Object.entries(value)
        .map(([key, one]) => `;${key}=${encoded(one)}`)
        .join('');
}

/** Serializes a header field or a cookie: `simple`. @type {(parameter: Parameter, value: any) => string} */
export function inField({ explode = false }, value) {
  if (Array.isArray(value)) return value.map(String).join(',');
  if (!isRecord(value)) return String(value);
  return Object.entries(value)
    .map(([key, one]) => (explode ? `${key}=${one}` : `${key},${one}`))
    .join(',');
}

/** @type {Record<string, string>} */
const SEPARATORS = { form: ',', spaceDelimited: '%20', pipeDelimited: '|', tabDelimited: '%09' };

/**
 * Serializes a parameter in the query: `form`, `spaceDelimited`, `pipeDelimited` or `deepObject`.
 * @type {(parameter: Parameter, value: any) => string} `tag=a&tag=b`
 */
export function inQuery({ name, style = 'form', explode = style === 'form' }, value) {
  const key = encodeURIComponent(name);
  if (isRecord(value)) {
    const pairs = Object.entries(value);
    if (style === 'deepObject')
      return pairs.map(([one, item]) => `${key}[${encodeURIComponent(one)}]=${encoded(item)}`).join('&');
    if (explode) return pairs.map(([one, item]) => `${encodeURIComponent(one)}=${encoded(item)}`).join('&');
    return `${key}=${pairs.map(([one, item]) => `${encoded(one)},${encoded(item)}`).join(',')}`;
  }
  if (!Array.isArray(value)) return `${key}=${encoded(value)}`;
  if (explode) return value.map((one) => `${key}=${encoded(one)}`).join('&');
  return `${key}=${value.map(encoded).join(SEPARATORS[style] ?? ',')}`;
}

/** @type {(value: any, explode: boolean, separator: string, sign: string) => string} */
function joined(value, explode, separator, sign) {
  if (Array.isArray(value)) return value.map(encoded).join(separator);
  if (!isRecord(value)) return encoded(value);
  return Object.entries(value)
    .map(([key, one]) => `${encoded(key)}${explode ? sign : ','}${encoded(one)}`)
    .join(separator);
}

/** @type {(value: any) => string} */
function encoded(value) {
  return encodeAroundTokens(isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value));
}
