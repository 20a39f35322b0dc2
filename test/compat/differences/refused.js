/** Traits that 1.2.4 ran, or counted as errors, and that are refused before the run, by their row of the guide. @type {Record<string, string[]>} */
const REFUSALS = {
  'A text that is probably a misspelled token is refused': [
    'a token in small letters in a body',
    'an unknown token in a flow whose after-hooks could set it',
  ],
  'Misspelled names are refused': [
    'the name of a hook that is not close to any',
    'data',
    'query',
    'params',
    'a misspelled option',
    'requests, as version 0 called iterations',
    'postHooks in an operation',
    'queryString',
    'username in an operation without hooks',
    'setup with operations in a flow',
    'concurrent in options',
    'preallocate in options',
  ],
  '`har` is refused': ['har'],
  'Names that have a meaning now': ['options of its own', 'expect of its own'],
  'A fraction as `iterations`': ['a fraction as limit', 'a fraction as iterations'],
  'A stream as `body`': ['a stream as body'],
  '`formData` and `multipart` beside another body': ['formData beside json'],
  'Values that 1.2.4 could not send': [
    'qs as text',
    'a header that is a Date',
    'headers that are a Map',
    'a header with a line end',
  ],
  'URLs that no request can be sent to': [
    'a URL without a variable',
    'a URL without a scheme',
    'a path alone',
    'a scheme that is not HTTP',
  ],
  'Other values of run options': ['prealloc: 1.5', 'progress: Infinity', 'progress: -1', 'user: true'],
};

/** @type {import('./index.js').Differences} */
export const REFUSED = Object.fromEntries(
  Object.entries(REFUSALS).flatMap(([guide, names]) =>
    names.map((name) => [name, { guide, theirs: { outcome: 'ends' }, ours: { outcome: 'throws' } }]),
  ),
);
