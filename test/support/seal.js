import { Seal } from '../../lib/addons/agents/seal.js';

export const SECRET = 'a secret of at least 16 characters';

/** What a queue is for a message: `redis`, and a seal whose time is that of `clock`. */
export const connectionOf = (redis, { secret = null, pool = 'p', clock = { now: 0 } } = {}) => ({
  redis,
  seal: new Seal({ secret, pool }),
  sealTime: async () => clock.now,
});

/** The content of a message, unchecked. */
export function contentOf(message) {
  const bytes = Buffer.from(message);
  return bytes.subarray(bytes.indexOf('\n') + 1);
}

/** The JSON in a message, unchecked. */
export const jsonIn = (message) => JSON.parse(contentOf(message).toString());
