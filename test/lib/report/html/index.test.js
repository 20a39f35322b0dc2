import { expect } from 'chai';

import { clientScript } from '../../../../lib/report/html/index.js';

describe('report/html', () => {
  it('the modules of the script are one script: none is missing, no name is used twice', () => {
    const script = clientScript();
    expect(() => new Function(script)).not.to.throw();
    expect(script).not.to.match(/^(import|export) /m);
  });
});
