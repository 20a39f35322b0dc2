import { expect } from 'chai';

import { explain } from '../../../../lib/addons/import/k6/explain.js';

describe('a script of k6 in place of a flow', () => {
  for (const text of [
    'import http from "k6/http"; export default () => http.get("http://h/");',
    'const { sleep } = require("k6");',
    // with the package of that name installed, whose exports are missing, the error is a SyntaxError
    'import { check } from "k6"; const = 1;',
    'import u from "https://jslib.k6.io/u.js"; import "k6";',
  ])
    it(`is explained: ${text}`, () => {
      const { reason, cure } = explain(text, '/x/k6.mjs');
      expect(reason).to.equal('this is a script of k6, not a flow');
      expect(cure).to.match(/^bench-rest import k6\.mjs -o flow\.mjs .* main: \[/);
    });

  it('is no other module', () => expect(explain('import "./k6.js"; export default [];', 'a.mjs')).to.equal(undefined));
});
