/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'graphql',
  about: 'bodies of GraphQL',
};
