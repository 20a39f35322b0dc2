import { STOPS, noStop } from '../../lib/core/process/stops.js';

/** The stops of a thread that was never stopped, see `loadGenerator.stops` of a result. */
export const noStops = () => Object.fromEntries(STOPS.map((cause) => [cause, noStop()]));
