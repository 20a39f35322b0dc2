/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'websocket',
  about: 'WebSocket',
};
