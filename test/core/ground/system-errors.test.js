import { constants } from 'node:os';

import { expect } from 'chai';

import {
  dependencyError,
  isResetCode,
  openFilesError,
  systemError,
  workingFolder,
} from '../../../lib/core/ground/system-errors.js';

describe('system errors', () => {
  for (const [code, kind] of [
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['ECONNREFUSED', 'connect'],
    ['EMFILE', 'connect'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls'],
    ['ECONNRESET', 'reset'],
  ]) {
    it(`${code} is of kind ${kind}`, () => expect(systemError(code)?.kind).to.equal(kind));
  }

  for (const code of ['E_UNKNOWN', '', 'toString', '__proto__']) {
    it(`'${code}' is not a system error`, () => expect(systemError(code)).to.equal(null));
  }

  it('each exhausted resource has a remedy', () => {
    const exhausted = Object.keys(constants.errno).filter((code) => systemError(code)?.exhausted);
    expect(exhausted).to.have.members(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'EADDRINUSE', 'ENOBUFS', 'ENOMEM']);
    for (const code of exhausted) expect(systemError(code)?.remedy, code).to.be.a('string');
  });

  it('only codes that end a connection are resets', () => {
    expect(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', undefined].map(isResetCode)).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

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

describe('workingFolder', () => {
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

describe('dependencyError', () => {
  const missing = (importer) =>
    Object.assign(new Error(`Cannot find package 'commander' imported from ${importer}`), {
      code: 'ERR_MODULE_NOT_FOUND',
    });

  it('a package that bench-rest imports and that is not installed is E_DEPENDENCY, with what installs it', () => {
    const error = missing('/clone/lib/cli/options.js');
    const refusal = dependencyError(error, '/clone/');
    expect(refusal).to.include({ code: 'E_DEPENDENCY', cause: error });
    expect(refusal.message).to.equal(
      'the package commander, a dependency of bench-rest, is not installed; install the dependencies: cd /clone/ && npm ci',
    );
    expect(dependencyError(missing(import.meta.filename)).message).to.include('commander');
  });

  for (const error of [missing('/other/flow.mjs'), new Error('Cannot find module'), undefined])
    it(`${error?.message} is another error`, () => expect(dependencyError(error, '/clone/')).to.equal(null));
});
