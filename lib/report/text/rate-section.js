import { quantile, rate } from '../figures.js';
import { table } from '../layout.js';

/** How steady it was, second by second; a run that was too short for that has its mean. @type {import('./index.js').Section} */
export function rateSection({ series, iterations, requests, measuredElapsed, client }, look) {
  const ended = iterations.completed + iterations.failed;
  if (ended === 0 || measuredElapsed === 0) return [];
  const mean = (ended * 1000) / measuredElapsed;
  const asked = client.rate === null ? [] : [`asked for ${rate(client.rate.asked)} iterations a second, started ${rate(client.rate.reached)}`];
  // the last point is not a whole interval
  const whole = series.points.slice(0, -1).map(({ count }) => (count * 1000) / series.interval);
  if (whole.length < 2) return [`${look.paint('bold', 'rate')}  ${rate(mean)} iterations a second, ${rate(requests.rate)} requests`, ...asked];
  const figures = [Math.min(...whole), quantile(whole, 0.025), quantile(whole, 0.5), quantile(whole, 0.975), Math.max(...whole), mean];
  const columns = ['a second', 'min', 'p2.5', 'p50', 'p97.5', 'max', 'mean'].map((head, i) => ({ head, isText: i === 0 }));
  return [...table(columns, [['iterations', ...figures.map(rate)]], look), ...asked];
}
