/**
 * `itSlow` and `describeSlow` are `it` and `describe` for what takes long: a process or a thread of the command, 0.1 s of CPU, or a
 * time that must pass. `npm test` leaves these tests to `npm run test:all`.
 */
let areLeftOut = false;

/** @type {(...test: Parameters<typeof it>) => void} */
export function itSlow(...test) {
  if (!areLeftOut) it(...test);
}

/** @type {(...suite: Parameters<typeof describe>) => void} */
export function describeSlow(...suite) {
  if (!areLeftOut) describe(...suite);
}

export function leaveOutSlow() {
  areLeftOut = true;
}
