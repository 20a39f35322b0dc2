import { expect } from 'chai';

import { openFilesError } from '../../../lib/ground/system-errors.js';

describe('openFilesError', () => {
  for (const [what, error, code] of [
    ['a file that cannot be opened', { code: 'EMFILE', message: 'too many open files' }, 'EMFILE'],
    ['a system without free files', { code: 'ENFILE', message: 'file table overflow' }, 'ENFILE'],
    [
      'a thread that cannot start',
      { code: 'ERR_WORKER_INIT_FAILED', message: 'Worker initialization failure: EMFILE' },
      'EMFILE',
    ],
  ]) {
    it(`${what} is E_OPEN_FILES with ${code} and a remedy`, () => {
      const refusal = openFilesError(error);
      expect(refusal).to.include({ code: 'E_OPEN_FILES', cause: error });
      expect(refusal.message).to.include(code).and.include('ulimit -n');
    });
  }

  for (const error of [
    { code: 'ERR_WORKER_INIT_FAILED', message: 'Worker initialization failure: ENOMEM' },
    { code: 'ENOENT', message: 'EMFILE' },
    new Error('EMFILE'),
    undefined,
    null,
  ]) {
    it(`${error?.code ?? error} is another error`, () => expect(openFilesError(error)).to.equal(null));
  }
});
