import { Seal, contentOf } from '../../lib/shard/seal.js';

export const SECRET = 'a secret of at least 16 characters';

/** What a queue is for a message: `redis`, and a seal whose time is that of `clock`. */
export const connectionOf = (redis, { secret = null, pool = 'p', clock = { now: 0 } } = {}) => ({
  redis,
  seal: new Seal({ secret, pool }),
  sealTime: async () => clock.now,
});

/** The JSON in a message, unchecked. */
export const jsonIn = (message) => JSON.parse(contentOf(message).toString());
