import { readFileSync } from 'node:fs';

import { formatValue } from '../../core/text/format-value.js';
import { usageError } from '../../core/cli/usage-error.js';

export const FLOW_SCHEMA = 'flow.schema.json';

/** Files of the package that an assistant can read. */
const FILES = [
  { name: FLOW_SCHEMA, description: 'JSON Schema of flows and run options', mimeType: 'application/schema+json' },
  { name: 'examples/items.yaml', description: 'A flow in YAML', mimeType: 'application/yaml' },
];

/** @type {(name: string) => string} */
export function uriOf(name) {
  return `bench-rest://${name}`;
}

/** @type {(name: string) => string} */
export function readResource(name) {
  return readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
}

export const RESOURCES = FILES.map((file) => ({ uri: uriOf(file.name), ...file }));

/**
 * Returns the content of a resource.
 * @throws {Error} E_USAGE
 * @type {(uri: string) => { uri: string, mimeType: string, text: string }}
 */
export function resourceAt(uri) {
  const found = RESOURCES.find((one) => one.uri === uri);
  if (!found) throw usageError(`there is no resource ${formatValue(uri)}`);
  return { uri, mimeType: found.mimeType, text: readResource(found.name) };
}
