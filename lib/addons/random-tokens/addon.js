import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** Most flows have no random values. @type {() => typeof import('./random.js')} */
const loadRandom = () => requireHere('./random.js');

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'random-tokens',
  about: 'tokens of random values',
  tokens: [
    {
      name: 'uuid',
      about: 'a random UUID (RFC 9562, version 4)',
      value: (use, context) => loadRandom().uuid(use, context),
    },
    {
      name: 'randomInt',
      about: 'a random whole number, both limits included',
      usage: 'randomInt(1,100)',
      value: (use, context) => loadRandom().randomInt(use, context),
    },
    {
      name: 'randomItem',
      about: 'a random one of these texts',
      usage: 'randomItem(red,green,blue)',
      value: (use, context) => loadRandom().randomItem(use, context),
    },
    {
      name: 'randomString',
      about: 'a random text of this many letters and digits, up to 1,000',
      usage: 'randomString(12)',
      value: (use, context) => loadRandom().randomString(use, context),
    },
  ],
};
