import { expect } from 'chai';

/** The promise rejects with this error. */
export async function refused(promise, code, message) {
  const error = await promise.then(
    () => expect.fail('it is not refused'),
    (reason) => reason,
  );
  expect(error).to.have.property('code', code);
  expect(error.message).to.match(message);
}
