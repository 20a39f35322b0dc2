import { offered, placed } from '../ground/addons.js';

/** @import { OfferedSection } from './types.js' */

/** The sections of add-ons, in the order of these. @type {OfferedSection[]} */
export const SECTIONS = offered('sections');

/**
 * Returns the sections of a format: its own ones, and at their places those of add-ons, which `make` turns into such.
 * @type {<R extends { name: string }>(format: 'text' | 'markdown', own: R[], make: (section: OfferedSection) =>
 *   Omit<R, 'name'>) => R[]}
 */
export function sectionsOf(format, own, make) {
  const more = SECTIONS.flatMap((one) => {
    const place = one[format];
    return place ? [/** @type {any} */ ({ name: one.name, ...place, ...make(one) })] : [];
  });
  return placed(own, more);
}
