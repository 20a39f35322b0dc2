// The flow of a cause of delays: bench/verdict.js sets it in the environment.
const {
  url = '',
  path = '/',
  burnMs = 0,
  every = 1,
  allocates = 0,
  other = '',
  expects = false,
} = JSON.parse(process.env.VERDICT_CAUSE ?? '{}');
let count = 0;
let kept = [];

/** Computes for some time. */
export function burn(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const hooks = [
  ...(burnMs > 0 ? [() => ++count % every === 0 && burn(burnMs)] : []),
  ...(allocates > 0
    ? [
        () => {
          kept.push(Array.from({ length: allocates }, (_, i) => ({ i })));
          if (kept.length > 100) kept = [];
        },
      ]
    : []),
];

export default {
  main: [
    {
      name: 'judged',
      get: `${url}${path}`,
      ...(hooks.length > 0 && { afterHooks: hooks }),
      ...(expects && { expect: { json: { '$[3].name': 'row 3' } } }),
    },
    ...(other ? [{ name: 'other', get: other }] : []),
  ],
};
