import { figuresSchema, operation, series } from '../../../core/measure/result-schema.js';
import {
  closed,
  count,
  labels,
  listOf,
  notes,
  phase,
  rate,
  text,
  time,
  times,
} from '../../../core/measure/schema-parts.js';
import { STATUSES } from '../../../core/measure/validity.js';

/** Returns the schema of the loads of a run with several: their figures are those of a run. */
export function loadsSchema() {
  const { interval, points } = series().properties;
  const load = closed(
    {
      ...{ name: text, phase, labels, measuredElapsed: time, count, errors: count, rate },
      ...{ iterations: figuresSchema('iterations'), virtualUsers: figuresSchema('virtualUsers') },
      times: closed(
        { responseTime: times, serviceTime: times },
        { failed: times, cancelled: times, least: times, serviceLeast: times },
      ),
      series: closed({ interval, points }),
      validity: closed({ status: { enum: STATUSES }, reasons: notes }),
    },
    { startAfter: time, startDelay: times, spacing: times, operations: listOf(operation()) },
  );
  return listOf(load);
}
