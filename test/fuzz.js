// npm run fuzz [-- seed]: until it finds a difference or is stopped
import { findDifferences, mutant } from './support/fuzz.js';
import { seeded } from './support/random.js';

for (let seed = Number(process.argv[2] ?? Date.now() % 1e9), count = 0; ; seed++) {
  const random = seeded(seed);
  const found = await findDifferences(Array.from({ length: 5000 }, () => mutant(random)));
  count += 5000;
  console.log(`seed ${seed}: ${count} cases, ${found.length} found`);
  for (const { text, ...about } of found) console.log(text, JSON.stringify(about));
  if (found.length > 0) process.exit(1);
}
