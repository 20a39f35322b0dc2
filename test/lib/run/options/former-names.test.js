import { expect } from 'chai';

import { explainName } from '../../../../lib/run/options/names.js';

/** Names of the alpha: as a flag, as an option, and what they are now; null: the name was none of this kind. */
const NAMES = [
  ['no-proxy', /^there is no --no-proxy: write --noproxy <hosts> .* or --proxy ''/, null],
  ['output', null, /^there is no output: it is outputs in the configuration file/],
  ['env-file', null, 'envFile is envFiles here'],
];

describe('run/options/former-names', () => {
  for (const [name, flag, option] of NAMES) {
    it(`${name} is answered with the name that replaces it`, () => {
      const answers = [flag && explainName(name, 'flag'), option && explainName(camel(name), 'option')];
      [flag, option].forEach((expected, i) => {
        if (expected instanceof RegExp) expect(answers[i]).to.match(expected);
        else expect(answers[i]).to.equal(expected);
      });
    });
  }
});

/** @type {(name: string) => string} */
function camel(name) {
  return name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
}
