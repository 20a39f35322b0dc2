/**
 * @import { Schedule } from './types.js'
 */

export default {
  name: 'closed',
  about: 'a lane starts the next iteration as soon as it is free',
  /**
   * @param {{ iterations: number, limit: number }} options
   * @returns {Schedule}
   */
  create: ({ iterations, limit }) => ({
    arrival: (n) => (n < iterations ? 0 : Infinity),
    lanes: () => Math.min(limit, iterations),
    end: Infinity,
  }),
};
