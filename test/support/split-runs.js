import fc from './fast-check.js';

export const PARTS = 3;

/** Iterations of a run, each of one of its parts. */
export const iterations = (isOpen) =>
  fc
    .array(
      fc.record({
        ms: fc.double({ min: 0.001, max: 5000, noNaN: true }),
        status: fc.constantFrom(200, 304, 503),
        part: fc.nat(PARTS - 1),
        ...(isOpen && { waited: fc.nat(1000) }),
      }),
      { maxLength: 60 },
    )
    .map((all) => all.map((one, i) => ({ ...one, at: i * 100 })));

/** The iterations of each part. */
export const split = (all) => Array.from({ length: PARTS }, (_, i) => all.filter(({ part }) => part === i));
