import { createRequire } from 'node:module';

const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'request-library',
  about: 'options of the request library in operations, as flows for 1.2.4 have them',
  oldOptions: [{ load: () => requireNow('./options.js').OPTIONS }],
};
