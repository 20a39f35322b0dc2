import fc from 'fast-check';

const { SEED = '1' } = process.env;

// the same values in each run, so that a test fails because of a change; SEED=random searches for other failures
if (SEED !== 'random') fc.configureGlobal({ seed: Number(SEED) });

export default fc;
