import { createRequire } from 'node:module';

const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'websocket',
  about: 'WebSocket',
  protocols: [{ scheme: 'ws', load: () => requireNow('./flow/index.js').WEB_SOCKET }],
};
