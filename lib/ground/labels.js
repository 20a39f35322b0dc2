/** @import { OperationFacts } from '../contracts/summaries.js' */

/** The labels that operations have without tags, and what else a threshold or a row is named by: tags differ. */
export const OWN_LABELS = ['scenario', 'group', 'operation', 'check', 'tag', 'phase', 'protocol', 'name'];

/**
 * The protocol and the labels of an operation, for its row in the results.
 * @type {(step: Parameters<typeof protocolNameOf>[0] & Parameters<typeof labelsOf>[0]) => OperationFacts}
 */
export function factsOf(step) {
  return { protocol: protocolNameOf(step), labels: labelsOf(step) };
}

/**
 * The labels of an operation.
 *
 * @param {{ scenario: { name: string } | null, group: string | null, tags: Record<string, string> | null }} step
 * @returns {Record<string, string> | undefined} undefined: it has none
 */
function labelsOf({ scenario, group, tags }) {
  if (scenario === null && group === null && tags === null) return undefined;
  return { ...(scenario && { scenario: scenario.name }), ...(group !== null && { group }), ...tags };
}

/**
 * The protocol of an operation as results name it: `http`, `ws`.
 * @type {(step: { protocol: { name: string, key: string | null } }) => string}
 */
function protocolNameOf({ protocol: { name, key } }) {
  return key ?? name;
}
