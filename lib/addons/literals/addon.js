/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'literals',
  about: 'flows that are texts: of -e, and of standard input',
  flowFormats: [
    {
      name: 'inline',
      about: 'the text of -e: a URL, JSON, a JavaScript literal or YAML in flow style',
      extensions: [],
      accepts: ({ evaluate }) => evaluate !== undefined,
      load: () => import('./inline.js'),
    },
    {
      name: 'stdin',
      about: 'standard input (-): a URL, JSON, YAML or a JavaScript literal',
      extensions: [],
      accepts: ({ bytes }) => bytes !== undefined,
      load: () => import('./stdin.js'),
    },
  ],
};
