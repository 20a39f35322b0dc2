/** @import { OperationFacts } from '../contracts/summaries.js' */

/** The labels that operations have without tags, and other names in thresholds and rows: tags differ from them. */
export const OWN_LABELS = ['scenario', 'group', 'operation', 'check', 'tag', 'phase', 'protocol', 'name'];

/**
 * Returns the protocol and the labels of an operation, for its row in the results.
 * @type {(step: Parameters<typeof protocolNameOf>[0] & Parameters<typeof labelsOf>[0]) => OperationFacts}
 */
export function factsOf(step) {
  return { protocol: protocolNameOf(step), labels: labelsOf(step) };
}

/**
 * Returns the labels of an operation; undefined if it has none.
 * @type {(step: { scenario: { name: string } | null, group: string | null, tags: Record<string, string> | null }) =>
 *   Record<string, string> | undefined}
 */
function labelsOf({ scenario, group, tags }) {
  if (scenario === null && group === null && tags === null) return undefined;
  return { ...(scenario && { scenario: scenario.name }), ...(group !== null && { group }), ...tags };
}

/**
 * Returns the protocol of an operation as results name it: `http`, `ws`.
 * @type {(step: { protocol: { name: string, key: string | null } }) => string}
 */
function protocolNameOf({ protocol: { name, key } }) {
  return key ?? name;
}
