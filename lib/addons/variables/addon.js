import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'variables',
  about: 'the search for variables that the threads of a run would not share',
  sharedVariables: [{ load: () => requireHere('./shared-variables.js').sharedVariable }],
};
