/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'export',
  about: 'metrics for Prometheus and OpenTelemetry',
};
