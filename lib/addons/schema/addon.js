import { createRequire } from 'node:module';

const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'schema',
  about: 'checks of bodies by a JSON Schema',
  checks: [{ load: () => [requireNow('./schema.js').default] }],
};
