// The cookies of an iteration (a jar, one cookie set, three fields) with our store, whether it writes the fields or the jar
// does, and with the store of tough-cookie:
// node bench/micro/iteration/session/cookie-store.js
import * as library from 'tough-cookie';
import { CookieStore } from '../../../../lib/iteration/session/cookie-store.js';

const ROUNDS = 300;
const COUNT = 500;
const at = (pathname) => ({ protocol: 'http:', hostname: '127.0.0.1', pathname });

function iterate(store, fieldFor = (jar, url) => jar.getCookieStringSync(url)) {
  const jar = new library.CookieJar(store, { looseMode: true });
  jar.setCookieSync('session=0123456789abcdef; Path=/; HttpOnly', at('/login'), { ignoreError: true });
  for (const path of ['/me', '/doc', '/doc']) fieldFor(jar, at(path));
}

const ways = {
  ours: () => iterate(new CookieStore(), (jar, url) => jar.store.fieldFor(url, library)),
  'ours, fields by the jar': () => iterate(new CookieStore()),
  'of tough-cookie': () => iterate(),
};
const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, way] of Object.entries(ways)) {
    const before = process.cpuUsage();
    for (let i = 0; i < COUNT; i++) way();
    const { user, system } = process.cpuUsage(before);
    times[name].push((user + system) / COUNT);
  }
}
for (const [name, all] of Object.entries(times)) {
  all.sort((a, b) => a - b);
  console.log(`${name}: ${all[0].toFixed(2)} us at least, median ${all[ROUNDS >> 1].toFixed(2)} an iteration`);
}
