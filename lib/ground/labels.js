/** The labels that operations have without tags, and what else a threshold or a row is named by: tags differ. */
export const OWN_LABELS = ['scenario', 'group', 'operation', 'check', 'tag', 'phase', 'protocol', 'name'];

/**
 * The labels of an operation.
 *
 * @param {{ scenario: { name: string } | null, group: string | null, tags: Record<string, string> | null }} step
 * @returns {Record<string, string> | undefined} undefined: it has none
 */
export function labelsOf({ scenario, group, tags }) {
  if (scenario === null && group === null && tags === null) return undefined;
  return { ...(scenario && { scenario: scenario.name }), ...(group !== null && { group }), ...tags };
}

/**
 * The protocol of an operation as results name it: `http`, `ws`.
 * @type {(step: { protocol: { name: string, key: string | null } }) => string}
 */
export function protocolNameOf({ protocol: { name, key } }) {
  return key ?? name;
}
