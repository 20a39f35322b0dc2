import { benchrest } from './lib/run/benchrest.js';

export { benchrest, benchrest as default, benchrest as 'module.exports' };
