import { isRecord } from '../../flow/record.js';

/**
 * Merges header fields of two layers: the stronger one wins field by field, whatever the case of their names.
 *
 * @param {any} weaker
 * @param {any} stronger
 * @returns {any} `stronger` itself if either is no object of fields: the check of the option refuses it
 */
export function mergeFields(weaker, stronger) {
  if (!isRecord(weaker) || !isRecord(stronger)) return stronger;
  const replaced = new Set(Object.keys(stronger).map((name) => name.toLowerCase()));
  const kept = Object.entries(weaker).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...stronger };
}
