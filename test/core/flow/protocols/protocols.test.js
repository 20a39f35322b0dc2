import { expect } from 'chai';

import { PROTOCOLS } from '../../../../lib/core/flow/protocols/index.js';
import { SCHEMES } from '../../../../lib/core/http/schemes.js';

const [HTTP, ...others] = PROTOCOLS;

describe('the table of protocols', () => {
  it('begins with HTTP, which has no property that selects it', () => {
    expect(HTTP.name).to.equal('http');
    expect(HTTP.key).to.equal(null);
    expect(HTTP.loadClient).to.equal(undefined);
  });

  for (const { name, key, urlKey, scheme, properties } of others) {
    it(`${name} is selected by a property of its own`, () => {
      expect(Object.keys(properties)).to.include(key);
      expect(others.filter((other) => other.key === key)).to.have.length(1);
      expect(HTTP.properties).to.not.have.property(key);
    });

    it(`the URLs of ${name} have a known scheme`, () => {
      expect(SCHEMES).to.include(scheme);
      if (urlKey !== null) expect(Object.keys(properties)).to.include(urlKey);
    });
  }
});
