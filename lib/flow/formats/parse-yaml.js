/**
 * @import { Document } from 'yaml'
 * @import { Fault } from './types.js'
 */

const OPTIONS = /** @type {const} */ ({
  version: '1.2',
  schema: 'core',
  strict: true,
  uniqueKeys: true,
  stringKeys: true,
  resolveKnownTags: false,
  merge: false,
  prettyErrors: false,
  logLevel: 'error',
});
const MOST_ALIASES = 100;

/**
 * Reads one document of YAML; what would be guessed, warned of or resolved by a tag is a fault.
 *
 * @param {string} text
 * @returns {Promise<{ value?: unknown, fault?: Fault }>}
 */
export async function parseYaml(text) {
  const yaml = await import('yaml');
  try {
    const documents = yaml.parseAllDocuments(text, OPTIONS);
    if (!Array.isArray(documents) || documents.length === 0) return { value: null };
    const [document, second] = documents;
    const [error] = [...document.errors, ...document.warnings];
    if (error) return { fault: { offset: error.pos[0], reason: reasonOf(error) } };
    if (second) return { fault: { offset: second.range[0], reason: 'a second document; a flow is one document' } };
    return read(/** @type {Document} */ (document), yaml);
  } catch (error) {
    if (error instanceof RangeError) return { fault: { offset: 0, reason: 'nested too deeply' } };
    throw error;
  }
}

/** @type {(error: { code: string, message: string }) => string} */
function reasonOf({ code, message }) {
  if (code === 'RESOURCE_EXHAUSTION') return 'nested too deeply';
  return message;
}

/** @type {(document: Document, yaml: typeof import('yaml')) => { value?: unknown, fault?: Fault }} */
function read(document, yaml) {
  try {
    return { value: document.toJS({ maxAliasCount: MOST_ALIASES }) };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return { fault: aliasFault(document, yaml, error) };
  }
}

/** @type {(document: Document, yaml: typeof import('yaml'), error: Error) => Fault} */
function aliasFault(document, yaml, error) {
  const anchors = new Set();
  let offset = -1;
  let reason = error.message;
  yaml.visit(document, {
    Alias(_, node) {
      if (offset < 0) offset = node.range?.[0] ?? 0;
      if (anchors.has(node.source)) return undefined;
      offset = node.range?.[0] ?? 0;
      reason = `alias *${node.source} has no anchor before it`;
      return yaml.visit.BREAK;
    },
    Value(_, node) {
      if (node.anchor) anchors.add(node.anchor);
    },
  });
  return { offset: Math.max(0, offset), reason };
}
