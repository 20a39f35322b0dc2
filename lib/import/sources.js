/** @import { ImportSource } from '../contracts/import.js' */

/** The lines in front of the first curl command of a script: comments, variables, options of the shell, a prompt. */
const CURL =
  /^\s*(?:#[^\n]*\n\s*|set\s[^\n]*\n\s*|(?:export\s+)?[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"';]*)[\s;]+|\$\s+)*(?:[\w./~-]*\/)?curl(?:\.exe)?\s/;

/**
 * The kinds of documents that `bench-rest import` reads; the first that detects a text reads it.
 * @type {ImportSource[]}
 */
export const SOURCES = [
  {
    name: 'curl',
    about: 'curl commands, one or more, as a terminal or the developer tools of a browser have them',
    detect: (text) => CURL.test(text),
    load: () => import('./curl/index.js'),
  },
  {
    name: 'har',
    about: 'a HAR recording of a browser or a proxy',
    detect: (text, name) => /^\s*\{\s*"log"\s*:\s*\{/.test(text.slice(0, 1000)) || /\.har$/i.test(name),
    flags: [
      { flag: '--include <what>', about: 'keep static, third-party, or the URLs that begin so, too', repeatable: true },
      { flag: '--think-time <factor>', about: 'pauses between requests: keep, drop (default), or a factor' },
    ],
    readsBytes: true,
    load: () => import('./har/index.js'),
  },
  {
    name: 'openapi',
    about: 'an OpenAPI 3.0 or 3.1 document, or Swagger 2, in JSON or YAML',
    detect: (text) => hasMember(text, 'openapi|swagger') && hasMember(text, 'paths'),
    flags: [
      { flag: '--tag <name>', about: 'import the operations with this tag', repeatable: true },
      {
        flag: '--operation <name>',
        about: "import this operation: its operationId, a path such as '/users/*', or 'GET /users'",
        repeatable: true,
      },
      { flag: '--exclude <name>', about: 'leave out this tag or operation', repeatable: true },
      { flag: '--check-schema', about: 'expect the response schema, too' },
      { flag: '--remote-refs', about: 'read $refs to URLs, and to files outside of the folder of the document' },
    ],
    load: () => import('./openapi/index.js'),
  },
];

/**
 * Finds the source that a text is of. `name` is that of its file.
 * @type {(text: string, name: string) => ImportSource | undefined}
 */
export function sourceOf(text, name) {
  return SOURCES.find(({ detect }) => detect(text, name));
}

/**
 * Reports whether a document of JSON or YAML seems to have a member, at its beginning, in a line of its own, or after a
 * brace or a comma. Quotes in texts of JSON are escaped, so these have none.
 * @type {(text: string, names: string) => boolean}
 */
function hasMember(text, names) {
  const inJson = new RegExp(`[{,]\\s*"(?:${names})"\\s*:`);
  const inYaml = new RegExp(`^["']?(?:${names})["']?\\s*:`, 'm');
  return (/^\s*\{/.test(text) ? inJson : inYaml).test(text);
}
