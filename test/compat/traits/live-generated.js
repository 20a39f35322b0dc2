/** Flows that a generator makes and changes: each number is another flow, with other changes at other moments. */

const COUNT = 50;

/** Random numbers of a seed (a linear congruential generator), the same for both sides. */
function random(seed) {
  let state = seed * 2654435761 + 1;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

const MOMENTS = ['turn', 'before', 'beforeMain', 'main', 'afterMain'];

/** The changes: each gets the flow, an operation of main, and a number that differs every time. */
const CHANGES = [
  ({ op }, n) => op.headers && (op.headers.n = `${n}`),
  ({ op }) => op.headers && delete op.headers.a,
  ({ op }, n) => op.json && (op.json.n = n),
  ({ op }, n) => op.json?.list.push(n),
  ({ op }) => op.json && (op.json.deep = { ...op.json.deep, again: true }),
  ({ op }, n) => op.qs && (op.qs.n = n),
  ({ op }, n) => op.form && Object.assign(op.form, { n: `${n}` }),
  ({ op }, n) => (op.headers = { replaced: `${n}` }),
  ({ op }, n) => op.json && (op.json = { list: [], n, i: '#{INDEX}' }),
  ({ op, url }, n) => op.get && (op.get = `${url}/changed/${n}/#{INDEX}`),
  ({ flow, url }, n) => flow.main.push({ get: `${url}/pushed/${n}` }),
  ({ flow, url }, n) => flow.after.push({ del: `${url}/made/${n}` }),
  ({ flow, url }, n) => (flow.after = [{ del: `${url}/all/${n}` }]),
  ({ op, log }, n) => op.afterHooks?.push((all) => (log(`hook ${n}`), all)),
  ({ op }) => op.afterHooks?.pop(),
  ({ flow, url }, n) => (flow.afterMain = [{ get: `${url}/am/${n}` }]),
];

/** @type {(pick: (count: number) => number, url: string, i: number) => Record<string, any>} */
function operation(pick, url, i) {
  const token = pick(2) === 0 ? '/#{INDEX}' : '';
  const json = () => ({ list: [i], deep: { x: null }, ...(pick(2) === 0 && { i: '#{INDEX}' }) });
  const request = [
    () => ({ get: `${url}/g${i}${token}` }),
    () => ({ post: `${url}/p${i}${token}`, json: json() }),
    () => ({ put: `${url}/u${i}${token}`, json: json() }),
    () => ({ post: `${url}/f${i}`, form: { a: 'b' } }),
    () => ({ get: `${url}/q${i}`, qs: { a: 'b' } }),
  ][pick(5)]();
  return {
    ...request,
    ...(pick(3) > 0 && { headers: { a: `${i}`, b: 'x' } }),
    ...(pick(2) === 0 && { afterHooks: [] }),
  };
}

/** @type {(seed: number) => import('./index.js').Trait} */
function generated(seed) {
  return {
    name: `a generated flow that code changes, number ${seed}`,
    program: ({ url, log, benchrest }) => {
      const pick = random(seed);
      const operations = Array.from({ length: 2 + pick(2) }, (_, i) => operation(pick, url, i));
      const changes = Array.from({ length: 2 + pick(4) }, () => ({
        moment: MOMENTS[pick(MOMENTS.length)],
        change: CHANGES[pick(CHANGES.length)],
        op: operations[pick(operations.length)],
      }));
      let count = 0;
      const at = (now) => (all) => {
        for (const { moment, change, op } of changes) if (moment === now) change({ flow, op, url, log }, ++count);
        return all;
      };
      const flow = {
        before: [{ get: `${url}/before`, afterHooks: [at('before')] }],
        beforeMain: [{ get: `${url}/bm`, afterHooks: [at('beforeMain')] }],
        main: [{ get: `${url}/first`, afterHooks: [at('main')] }, ...operations],
        afterMain: [{ get: `${url}/am`, afterHooks: [at('afterMain')] }],
        after: [],
      };
      benchrest(flow, { limit: 1, iterations: 3 });
      at('turn')();
    },
  };
}

export const LIVE_GENERATED = Array.from({ length: COUNT }, (_, i) => generated(i + 1));
