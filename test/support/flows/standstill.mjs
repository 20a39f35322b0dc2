/** One iteration in 40 computes for 350 ms. */
const compute = (all) => {
  if (all.env.index % 40 !== 20) return;
  const until = performance.now() + 350;
  while (performance.now() < until);
};

export default { get: '/', beforeHooks: [compute] };
