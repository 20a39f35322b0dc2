/** Codes of the system that say that the other side ended a connection out of order. */
export const SYSTEM_RESETS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
