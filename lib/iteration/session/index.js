import auth from './auth.js';
import cookies from './cookies.js';

/**
 * @import { Request, Step } from '../../flow/types.js'
 * @import { Response } from '../../transport/types.js'
 * @import { Env } from '../env.js'
 *
 * @typedef {object} AbilityContext
 * @property {Env} env
 * @property {string} [user] the run's
 * @property {string} [password]
 * @property {boolean} hasLeft a redirect has led to another origin: credentials stay behind
 *
 * @typedef {object} Ability something that a step adds to a request or learns from a response, without a promise
 * @property {string} name
 * @property {string} about
 * @property {(step: Step) => boolean} needed
 * @property {(request: Request, context: AbilityContext) => void} [before] may change the request: it is given a private one
 * @property {(request: Request, response: Response, context: AbilityContext) => void} [after]
 */

/** In the order in which they act. @type {Ability[]} */
export const ABILITIES = [auth, cookies];
