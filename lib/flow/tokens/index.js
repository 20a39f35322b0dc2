import counter from './counter.js';

/** What can stand in `#{NAME}` or `#<NAME>`. */
export const TOKENS = [counter];
