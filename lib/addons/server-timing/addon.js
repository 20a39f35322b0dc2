import { createRequire } from 'node:module';

const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'server-timing',
  about: 'times that responses tell in Server-Timing',
  middleware: [{ load: () => requireNow('./server-timing.js').default }],
};
