import { isObject } from '../../flow/record.js';
import { hasWrittenSecret } from '../../text/mask.js';
import { maskedOption } from './layers.js';

/** @import { RunOption } from './row.js' */

const TOKEN = /#[{<]/;

/**
 * The secret that is written into the value of an option, which must not be stored where others can read it.
 *
 * @param {RunOption} row
 * @param {any} value
 * @returns {string | null} which part it is, such as `its password`; null: there is none, or a token that names a variable
 */
export function secretIn(row, value) {
  switch (row.name) {
    case 'proxy':
      return value === maskedOption('proxy', value) ? null : 'its password';
    case 'baseUrl':
      return hasWrittenSecret(String(value)) ? 'its password or key' : null;
    case 'headers':
    case 'args':
    case 'cookies':
      return secretField(row, value);
    default:
      return row.isSecret && !TOKEN.test(String(value)) ? 'its value' : null;
  }
}

/** @type {(row: RunOption, value: any) => string | null} */
function secretField({ isSecret = false }, value) {
  const fields = isObject(value) ? Object.entries(value) : [];
  const secret = fields.find(([key, one]) => [one].flat().some((text) => isSecretText(isSecret, key, String(text))));
  return secret ? `the value of ${secret[0]}` : null;
}

/** @type {(isSecret: boolean, name: string, text: string) => boolean} */
function isSecretText(isSecret, name, text) {
  return (isSecret && !TOKEN.test(text)) || hasWrittenSecret(text, name);
}
