/** A failure of a hook, as a recorder gets it, with changes. */
export const failure = (changes) => ({
  kind: 'hook',
  code: 'E_HOOK',
  phase: 'main',
  operation: 'GET /',
  index: 0,
  now: 0,
  message: () => 'text',
  location: () => null,
  ...changes,
});
