/** @import { ImportSource } from './import.js' */

/** Characters by which a HAR recording is detected, as it may be large. */
export const BEGINNING = 1000;

const COMMENT = /#[^\n]*\n\s*/.source;
const SHELL_OPTIONS = /set\s[^\n]*\n\s*/.source;
const PROMPT = /\$\s+/.source;
const VARIABLE = /(?:export\s+)?[A-Za-z_]\w*=/.source;
const VALUE = /(?:"[^"]*"|'[^']*'|[^\s"';]*)[\s;]+/.source;
/** Before a command whose output becomes the value of a variable. */
const CAPTURE = /"?(?:\$\(|`)\s*/.source;
const COMMAND = /(?:[\w./~-]*\/)?curl(?:\.exe)?\s/.source;
/** The beginning of a script whose first command is curl. */
const CURL = new RegExp(
  `^\\s*(?:${COMMENT}|${SHELL_OPTIONS}|${VARIABLE}${VALUE}|${PROMPT})*(?:${VARIABLE}${CAPTURE})?${COMMAND}`,
);

/** `import`, over one or several lines, or `require` of a module of k6. */
const K6 = /^[ \t]*(?:import\b[^;'"]{0,1000}?from\s*|(?:const|var|let)\b[^\n]*require\(\s*)["']k6(?:\/[\w/-]+)?["']/m;

/** Targets of vegeta may begin with a method, below comments; JSON ones are one per line. */
const TARGETS = /^\s*(?:(?:#|\/\/)[^\n]*\n\s*)*(?:[A-Z]+[ \t]+)?https?:\/\/\S+[ \t\r]*(?:\n|$)/i;
const OBJECT_IN_LINE = /^\s*\{[^\n]*\}[ \t\r]*(?:\n|$)/;

const GRPCURL = /^[ \t]*(?:\$\s+)?(?:[\w./~-]*\/)?grpcurl(?:\.exe)?\s/m;
/** The method of a call: `"call": "shop.Orders.Create"`, or with an equals sign. */
const GHZ = /(?:^|[{,])\s*"?call"?\s*[:=]\s*["'][\w.]+[./]\w+["']/m;

/** A call, as "Copy as fetch" of a browser writes it. */
const FETCH = /^\s*(?:\/\/[^\n]*\n\s*)*(?:(?:const|let|var)\s+\w+\s*=\s*)?(?:await\s+)?fetch\(\s*["'`]/;
/** A request, as "Copy as PowerShell" of a browser writes it. */
const POWERSHELL = /^[ \t]*(?:\$\w+\s*=\s*)?Invoke-(?:WebRequest|RestMethod)\b/im;

/** A flag of two sources. */
const ENVIRONMENT = '--environment <environment>';

/**
 * The documents that `bench-rest import` reads. The first that detects a text reads it: a curl command may send any
 * other document, and targets look like the requests of an HTTP file.
 * @type {ImportSource[]}
 */
export const SOURCES = [
  {
    name: 'curl',
    about: 'curl commands, one or more, as a terminal or the developer tools of a browser have them',
    detect: (text, name) =>
      CURL.test(text) || ((/\.(?:sh|bash|zsh|curl)$/i.test(name) || /^#!.*sh\b/.test(text)) && /\bcurl\s/.test(text)),
    load: () => import('./curl/index.js'),
  },
  {
    name: 'grpcurl',
    about: 'grpcurl commands, one or more: calls of gRPC',
    detect: (text) => GRPCURL.test(text),
    load: () => import('./grpcurl/index.js'),
  },
  {
    name: 'ghz',
    about: 'a configuration of ghz, in JSON or TOML',
    detect: (text) => /^(?:\s|#[^\n]*\n)*(?:\{|[\w-]+\s*=)/.test(text) && GHZ.test(text),
    load: () => import('./ghz/index.js'),
  },
  {
    name: 'fetch',
    about: 'calls of fetch, as the developer tools of a browser copy them, also for Node.js',
    detect: (text) => FETCH.test(text),
    load: () => import('./copies/fetch.js'),
  },
  {
    name: 'powershell',
    about: 'Invoke-WebRequest, as the developer tools of a browser copy it for PowerShell',
    detect: (text) => POWERSHELL.test(text),
    load: () => import('./copies/powershell.js'),
  },
  {
    name: 'har',
    about: 'a HAR recording of a browser or a proxy',
    detect: (text, name) => /^\s*\{\s*"log"\s*:\s*\{/.test(text.slice(0, BEGINNING)) || /\.har$/i.test(name),
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
  {
    name: 'postman',
    about: 'a collection of Postman, 2.0 or 2.1',
    detect: (text) =>
      hasMember(text, 'item') &&
      (/schema\.(?:get)?postman\.com/.test(text) || hasMember(text, '_postman_id') || hasMember(text, 'request')),
    flags: [
      {
        flag: ENVIRONMENT,
        about: 'an exported environment, whose values replace those of the collection',
        repeatable: true,
      },
    ],
    load: () => import('./postman/index.js'),
  },
  {
    name: 'insomnia',
    about: 'an export of Insomnia, format 4 or 5',
    detect: (text) =>
      (hasMember(text, 'resources') && /"_type"\s*:|^[ \t]*(?:- )?_type:|\{_type:/m.test(text)) ||
      /^type:\s*["']?collection\.insomnia\.rest/m.test(text),
    load: () => import('./insomnia/index.js'),
  },
  {
    name: 'artillery',
    about: 'a script of Artillery, in YAML or JSON',
    detect: (text) => hasMember(text, 'config') && hasMember(text, 'scenarios'),
    load: () => import('./artillery/index.js'),
  },
  {
    name: 'k6',
    about: 'a script of k6: its requests, its options, and what it does between',
    detect: (text) => K6.test(text),
    load: () => import('./k6/index.js'),
  },
  {
    name: 'http-file',
    about: 'an HTTP file of the VS Code REST Client or of JetBrains (.http, .rest)',
    detect: (text, name) => /\.(?:http|rest)$/i.test(name) || hasSeparatedRequests(text),
    flags: [{ flag: ENVIRONMENT, about: 'the name of an environment in http-client.env.json', repeatable: true }],
    load: () => import('./http-file/index.js'),
  },
  {
    name: 'vegeta',
    about: 'targets of vegeta, or a list of URLs, one per line',
    detect: (text) => TARGETS.test(text) || isTarget(OBJECT_IN_LINE.exec(text)?.[0]),
    load: () => import('./vegeta/index.js'),
  },
];

/**
 * Returns the first source that recognizes a text. `name` is that of its file, empty for standard input.
 * @type {(text: string, name: string) => ImportSource | undefined}
 */
export function sourceOf(text, name) {
  return SOURCES.find(({ detect }) => detect(text, name));
}

/** Reports whether a line is a JSON target: its own member `url` is one. @type {(line?: string) => boolean} */
function isTarget(line) {
  try {
    return /^https?:/i.test(JSON.parse(line ?? 'null')?.url);
  } catch {
    return false;
  }
}

/**
 * Reports whether a request is below a separator of HTTP files. In targets of vegeta, `###` is a comment: there `@file`
 * is a body, while `@` of an HTTP file is a variable with a value.
 * @type {(text: string) => boolean}
 */
function hasSeparatedRequests(text) {
  const at = text.search(/^###/m);
  const isRequest = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S/m;
  return at >= 0 && isRequest.test(text.slice(at)) && !(TARGETS.test(text) && /^@[^=\s]+\s*$/m.test(text));
}

/**
 * Reports whether a document of JSON or YAML seems to have a member, at its beginning, in a line of its own, or after a
 * brace or a comma.
 * @type {(text: string, names: string) => boolean}
 */
function hasMember(text, names) {
  const inJson = new RegExp(`[{,]\\s*"?(?:${names})"?\\s*:`);
  // The members of a document may be indented, as the first one is.
  const [indent = ''] = /^ *(?=[^\s#%-])/m.exec(text) ?? [];
  const inYaml = new RegExp(`^${indent}["']?(?:${names})["']?\\s*:`, 'm');
  return (/^\s*\{/.test(text) ? inJson : inYaml).test(text);
}
