import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
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

/** @type {import('../../core/addon.js').CommandAddon} */
export const ofCommand = {
  urlFlags: [
    {
      name: 'form',
      flag: '-F, --form <field>',
      inHelp: 'common',
      about: "multipart/form-data of a URL: 'name=value' or 'name=@file;type=…;filename=…'; repeatable",
      isSecret: true,
      read: (text, earlier) => requireHere('./form-flag.js').read(text, earlier),
      propertiesOf: (...given) => requireHere('./form-flag.js').propertiesOf(...given),
    },
  ],
};
