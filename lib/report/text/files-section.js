import { wrapped } from './layout.js';

/** The files that the result was written to. @type {import('./index.js').Section} */
export function filesSection(_result, { files, width, paint }) {
  return files.length > 0 ? [paint('dim', wrapped(`wrote ${files.join(', ')}`, 2, width))] : [];
}
