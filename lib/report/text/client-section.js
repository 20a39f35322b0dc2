import { loadText } from '../load-text.js';
import { wrapped } from './layout.js';

const LABEL = 8;

/** The load of the client, and of a server that is part of the run. @type {import('./index.js').Section} */
export function clientSection({ client, server }, { width, paint, glyphs }) {
  const line = (/** @type {string} */ name, /** @type {string[]} */ parts) =>
    `${paint('bold', name.padEnd(LABEL))}${wrapped(parts.join(', ').replace('µ', glyphs.micro), LABEL, width)}`;
  const threads = client.workers > 1 ? [`${client.workers} workers`] : [];
  return [line('client', [...loadText(client), ...threads]), ...(server ? [line('server', loadText(server))] : [])];
}
