import { quantile, rate } from '../figures.js';
import { table, wrapped } from '../layout.js';

/** How steady it was, second by second; a run that was too short for that has its mean. @type {import('./index.js').Section} */
export function rateSection({ series, iterations, requests, measuredElapsed, client }, look) {
  const ended = iterations.completed + iterations.failed;
  if (ended === 0 || measuredElapsed === 0) return [];
  const mean = (ended * 1000) / measuredElapsed;
  const asked =
    client.rate === null
      ? []
      : [
          wrapped(
            `asked for ${rate(client.rate.asked)} iterations a second, started ${rate(client.rate.reached)}`,
            0,
            look.width,
          ),
        ];
  // the last point is not a whole interval
  const whole = series.points.slice(0, -1).map(({ count }) => (count * 1000) / series.interval);
  if (whole.length < 2)
    return [
      `${look.paint('bold', 'rate')}  ${wrapped(`${rate(mean)} iterations a second, ${rate(requests.rate)} requests`, 6, look.width)}`,
      ...asked,
    ];
  const figures = [
    Math.min(...whole),
    quantile(whole, 0.025),
    quantile(whole, 0.5),
    quantile(whole, 0.975),
    Math.max(...whole),
    mean,
  ];
  const columns = ['a second', 'min', 'p2.5', 'p50', 'p97.5', 'max', 'mean'].map((head, i) => ({
    head,
    isText: i === 0,
  }));
  const narrow = look.width < 60 ? [0, 1, 3, 5, 6] : columns.map((_, i) => i);
  const row = ['iterations', ...figures.map(rate)];
  return [
    ...table(
      narrow.map((i) => columns[i]),
      [narrow.map((i) => row[i])],
      look,
    ),
    ...asked,
  ];
}
