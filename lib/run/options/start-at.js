const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;

/**
 * @param {unknown} given an ISO 8601 time with its zone, such as 2026-11-22T12:00:00Z
 * @returns {number} ms since 1970; NaN if it is not one
 */
export function readInstant(given) {
  return WITH_ZONE.test(String(given)) ? Date.parse(String(given)) : NaN;
}

/**
 * @param {unknown} given
 * @returns {string | undefined}
 */
export function refuseWithoutZone(given) {
  const hasZone = WITH_ZONE.test(String(given)) || Number.isNaN(Date.parse(String(given)));
  return hasZone ? undefined : `${given} has no time zone: write ${given}Z for UTC, or an offset such as +02:00`;
}
