// npm run fuzz [-- seed]: 20,000 messages and results, 20,000 imported documents, then responses until it finds a
// difference or is stopped
import { findDifferences, findKnownHeadDifference, mutant } from './support/fuzz.js';
import { MessageFuzz } from './support/message-fuzz.js';
import { seeded } from './support/random.js';
import { findPlanted } from './support/token-fuzz.js';

const first = Number(process.argv[2] ?? Date.now() % 1e9);
await fuzzMessages(seeded(first));
await fuzzImports(seeded(first));
for (let seed = first, count = 0; ; seed++) {
  const random = seeded(seed);
  const found = await findDifferences(Array.from({ length: 5000 }, () => mutant(random)));
  count += 5000;
  console.log(`seed ${seed}: ${count} cases, ${found.length} found`);
  for (const { text, ...about } of found) console.log(text, JSON.stringify(about));
  for (let i = 0; i < 1000 && found.length === 0; i++) {
    const difference = await findKnownHeadDifference(random);
    if (difference !== null) console.log(JSON.stringify(found[found.push(difference) - 1]));
  }
  if (found.length > 0) process.exit(1);
}

async function fuzzMessages(random) {
  const fuzz = new MessageFuzz();
  await fuzz.open();
  try {
    for (let i = 0; i < 20_000; i++) {
      const fault = await fuzz.try(random);
      if (fault === null) continue;
      console.log(`seed ${first}: ${fault}`);
      process.exit(1);
    }
    console.log(`seed ${first}: 20,000 messages`, fuzz.counts);
  } finally {
    fuzz.close();
  }
}

async function fuzzImports(random) {
  const counts = {};
  for (let i = 0; i < 20_000; i++) {
    const { kind, fault } = await findPlanted(random);
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (fault === null) continue;
    console.log(`seed ${first}: ${fault}`);
    process.exit(1);
  }
  console.log(`seed ${first}: 20,000 documents`, counts);
}
