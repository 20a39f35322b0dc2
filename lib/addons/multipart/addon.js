import { createRequire } from 'node:module';

const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'multipart',
  about: 'bodies of several parts: forms with files, and multipart/related',
  // in documents beside the other bodies of the core
  bodies: [
    { rank: -1, load: () => requireNow('./form-data.js').default },
    { rank: -1, load: () => requireNow('./multipart.js').default },
  ],
};
