import { startTarget } from '../../lib/addons/serve/server.js';

const target = await startTarget();
process.send(target.url);
process.on('disconnect', () => target.close());
