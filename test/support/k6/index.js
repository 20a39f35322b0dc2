/** What a script did: a double of k6, as far as the script of docs/coming-from/k6.md needs it. */
export const done = { requests: [], checks: {}, slept: 0 };

export function check(value, tests) {
  for (const [name, test] of Object.entries(tests)) done.checks[name] = test(value);
}

export function sleep(seconds) {
  done.slept += seconds;
}
