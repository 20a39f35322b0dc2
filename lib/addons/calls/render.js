import { compileTemplate } from '../../core/flow/template.js';

/** @import { Scope } from '../../core/contracts/step.js' */

/**
 * Returns a value, or a function of an iteration if a text in it has tokens. `mark`: replaces those of a text, which is
 * at a path in the value.
 * @type {(value: any, mark: (text: string, path: string[]) => string, path?: string[]) => any}
 */
export function rendererOf(value, mark, path = []) {
  if (typeof value === 'string') return compileTemplate(mark(value, path));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, rendererOf(one, mark, [...path, name])]);
  if (entries.every(([, one]) => typeof one !== 'function')) return value;
  return (/** @type {Scope} */ scope) => {
    const rendered = entries.map(([name, one]) => [name, typeof one === 'function' ? one(scope) : one]);
    return Array.isArray(value) ? rendered.map(([, one]) => one) : Object.fromEntries(rendered);
  };
}
