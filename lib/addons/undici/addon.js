/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'undici',
  about: 'the HTTP client of undici',
  isExperimental: true,
  transports: [
    {
      name: 'undici',
      about:
        "undici's Client, for cross-checking; refuses 100 Continue that was not asked for, folded fields, and Content-Length twice",
      capabilities: [],
      refusedFields: ['expect', 'keep-alive', 'transfer-encoding', 'upgrade'],
      // Bun has a module of this name, whose Client sends no requests
      missingIn: ['bun'],
      load: () => import('./index.js'),
    },
  ],
};
