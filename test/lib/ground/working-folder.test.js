import { expect } from 'chai';

import { workingFolder } from '../../../lib/ground/system-errors.js';

describe('working-folder', () => {
  it('is that of the process', () => expect(workingFolder({ cwd: () => '/x' })).to.equal('/x'));

  it('one that was removed is E_CWD with the reason and the cause', () => {
    const cause = Object.assign(new Error('uv_cwd'), { code: 'ENOENT' });
    const cwd = () => {
      throw cause;
    };
    expect(() => workingFolder({ cwd }))
      .to.throw('ENOENT')
      .that.includes({ code: 'E_CWD', cause });
  });
});
