import { createRequire } from 'node:module';

const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'challenges',
  about: 'credentials that are sent when a server asks for them',
  middleware: [{ load: () => requireNow('./challenge.js').default }],
};
