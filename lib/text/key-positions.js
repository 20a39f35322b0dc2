import { positionOf } from './code-frame.js';

/** @import { Position } from './types.js' */

/**
 * Finds the keys of a mapping in a text of JSON or YAML that was parsed without a fault: YAML contains JSON.
 *
 * @param {string} text
 * @param {string[]} [path] keys that lead to the mapping; default: the outermost
 * @returns {Promise<Map<string, Position>>} by key; empty if there is no such mapping
 */
export async function keyPositions(text, path = []) {
  const yaml = await import('yaml');
  const [document] = yaml.parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' });
  let node = /** @type {any} */ (document)?.contents;
  for (const key of path) node = yaml.isMap(node) ? node.get(key, true) : undefined;
  const items = yaml.isMap(node) ? node.items : [];
  return new Map(
    items.flatMap(({ key }) =>
      yaml.isScalar(key) && key.range ? [[String(key.value), positionOf(text, key.range[0])]] : [],
    ),
  );
}
