import { startTarget } from '../../lib/target/server.js';

const target = await startTarget();
process.send(target.url);
process.on('disconnect', () => target.close());
