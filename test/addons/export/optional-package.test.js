import { expect } from 'chai';

import { loadAllOptional, loadOptional } from '../../../lib/addons/export/optional-package.js';

describe('optional-package', () => {
  const failing = (name) => loadOptional(name, '--agents', () => import(`${name}/none`)).catch((error) => error);

  it('resolves with what was imported', async () => {
    expect(await loadOptional('chai', 'x', async () => 5)).to.equal(5);
  });

  it('a package that is not installed is named with the command that installs it', async () => {
    const error = await loadOptional('not-there', '--agents', () => import('not-there')).catch((thrown) => thrown);
    expect(error.code).to.equal('E_PACKAGE');
    expect(error.message).to.equal(
      '--agents needs the package not-there, which is not installed; install it: npm install not-there',
    );
  });

  it('all packages that are not installed are named at once', async () => {
    const loads = { 'not-there': () => import('not-there'), none: () => import('none'), chai: () => import('chai') };
    const error = await loadAllOptional('--agents', loads).catch((thrown) => thrown);
    expect(error.message).to.equal(
      '--agents needs the packages not-there and none, which are not installed; install it: npm install not-there none',
    );
    expect(await loadAllOptional('x', { chai: async () => 5 })).to.deep.equal([5]);
  });

  it('an error in a package that is installed stays as it is', async () => {
    expect((await failing('chai')).code).to.equal('ERR_MODULE_NOT_FOUND');
  });
});
