const SIGNS = 'signs requests: do it in a before-hook, see docs/guide/hooks.md#sign-requests';
const NO_OPTION = 'an option of the old request library that is not supported';
const KEPT = 'connections are kept alive, one per virtual user and server: remove it';

/** Options of the `request` library, on which 1.2.4 rested, and of other tools, that do not exist here; and what to do. @type {Record<string, string>} */
const ANSWERS = {
  oauth: SIGNS,
  aws: SIGNS,
  hawk: SIGNS,
  httpSignature: SIGNS,
  // of other tools; the nearest name, patch, is not meant
  path: "write url, or the method with the path, such as { get: '/path' }",
  ...Object.fromEntries(
    Object.entries({
      agent: KEPT,
      agentClass: KEPT,
      agentOptions: 'write its TLS options, such as ca, cert and key, into the operation',
      baseUrl: 'set baseUrl in the flow, or with --base-url',
      callback: 'use afterHooks',
      family: 'write an IPv4 or IPv6 address into the URL',
      forever: KEPT,
      followOriginalHttpMethod: 'answer with 307 or 308, which keep the method',
      har: 'write its method, url, headers and body as an operation, or pass a whole recording, a .har file, as the flow',
      jsonReplacer: 'change the value in a before-hook',
      jsonReviver: 'change all.body in an after-hook',
      lookup: 'write the address into the URL, and the name into headers.host and servername',
      pool: KEPT,
      postambleCRLF: 'remove it',
      preambleCRLF: 'remove it',
      proxyHeaderExclusiveList: 'remove it',
      proxyHeaderWhiteList: 'remove it',
      qsParseOptions: 'remove it',
      qsStringifyOptions: 'write the query into the URL',
      secureProtocol: "write minVersion and maxVersion, such as 'TLSv1.2'",
      time: 'every operation is timed: remove it',
      timing: 'every operation is timed: remove it',
      useQuerystring: 'write the query into the URL',
      withCredentials: 'remove it',
    }).map(([name, cure]) => [name, `${NO_OPTION}: ${cure}`]),
  ),
};

/**
 * The replacement for an option of the `request` library.
 *
 * @param {string} name
 * @returns {string | undefined} undefined if it is none of those
 */
export function answerOldOption(name) {
  return Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
}
