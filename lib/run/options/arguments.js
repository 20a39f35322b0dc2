import { isRecord } from '../../flow/record.js';

const NAME = /^[\w.-]+$/;
const FLAG = /^([\w.-]+)=(.*)$/s;

/**
 * Reads the texts of `--arg name=value`.
 *
 * @param {unknown} given texts, or an object of values
 * @returns {unknown} an object of values; a value that is no such text as it is, for {@link areArguments} to refuse
 */
export function readArguments(given) {
  const texts = [given].flat();
  const pairs = texts.map((text) => (typeof text === 'string' ? FLAG.exec(text) : null));
  return pairs.every((pair) => pair !== null)
    ? Object.fromEntries(pairs.map(([, name, value]) => [name, value]))
    : given;
}

/**
 * @param {unknown} value
 * @returns {boolean} whether it is an object of texts, numbers and booleans, with names that a token can have
 */
export function areArguments(value) {
  return (
    isRecord(value) &&
    Object.entries(/** @type {object} */ (value)).every(
      ([name, one]) => NAME.test(name) && ['string', 'number', 'boolean'].includes(typeof one),
    )
  );
}

/**
 * @param {any} weaker
 * @param {any} stronger
 * @returns {any} the values of both layers; `stronger` itself if either is no object: the check of the option refuses it
 */
export function mergeArguments(weaker, stronger) {
  const [below, above] = [readArguments(weaker), readArguments(stronger)];
  return isRecord(below) && isRecord(above)
    ? { .../** @type {object} */ (below), .../** @type {object} */ (above) }
    : stronger;
}
