import ndjson from './ndjson.js';

/**
 * Rows in the flow itself are kept as JSON lines, see `open-feeders.js`: each iteration gets an object of its own.
 *
 * @type {import('./types.js').FeederFormat}
 */
export default { ...ndjson, name: 'rows', about: 'an array of objects in the flow', extensions: [] };
