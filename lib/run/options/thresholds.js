/**
 * @param {unknown} given
 * @returns {boolean} whether it is a text, an array of texts, or an object of figures and bounds
 */
export function areThresholds(given) {
  const texts = thresholdTexts(given);
  return texts.every((text) => typeof text === 'string');
}

/**
 * @param {any} given `'p99<200ms'`, an array of these, or `{ 'p99': '<200ms', 'GET /items p95': ['<50ms', '>1ms'] }`
 * @returns {any[]} one text for each threshold, if all are well-formed
 */
export function thresholdTexts(given) {
  if (given === undefined) return [];
  if (typeof given !== 'object' || given === null) return [given];
  if (Array.isArray(given)) return given;
  return Object.entries(given).flatMap(([figure, bounds]) =>
    [bounds]
      .flat()
      .map((bound) => (typeof bound === 'string' ? `${figure}${/^\s*[<>=!]/.test(bound) ? '' : ' '}${bound}` : bound)),
  );
}
