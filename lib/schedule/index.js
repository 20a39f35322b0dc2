import closed from './closed.js';

/** When iterations start. */
export const SCHEDULES = [closed];
