// mocha --require, for `npm test`
import { leaveOutSlow } from './slow.js';

leaveOutSlow();
