import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'websocket',
  about: 'WebSocket',
  protocols: [{ scheme: 'ws', load: () => requireHere('./flow/index.js').WEB_SOCKET }],
};
