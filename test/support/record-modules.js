import { register } from 'node:module';

/** For `node --import`: appends the URL of every module that a thread loads to the file RECORD_MODULES. */
register('./record-modules-hook.js', import.meta.url);
