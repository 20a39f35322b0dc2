import { createRequire } from 'node:module';

const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'aws',
  about: 'signatures of requests for AWS',
  signatures: [{ load: () => requireNow('./property.js').AWS }],
};
