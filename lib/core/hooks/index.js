import endStepTimer from './end-step-timer.js';
import ignoreStatus from './ignore-status.js';
import saveEtag from './save-etag.js';
import startStepTimer from './start-step-timer.js';
import useEtag from './use-etag.js';
import verify2XX from './verify-2xx.js';

/** The hooks that a flow can name. */
export const HOOKS = [useEtag, saveEtag, ignoreStatus, verify2XX, startStepTimer, endStepTimer];
