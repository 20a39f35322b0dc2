// The cookies of an iteration (a jar, one cookie set, three fields) with our store, which stores the cookie and writes the
// fields itself or leaves both to the jar, and with the store of tough-cookie:
// node bench/micro/iteration/session/cookie-store.js
import * as library from 'tough-cookie';

import { CookieStore } from '../../../../lib/core/iteration/session/cookie-store.js';

const ROUNDS = 300;
const COUNT = 500;
const at = (pathname) => ({ protocol: 'http:', hostname: '127.0.0.1', pathname });

function iterate(store, { receive, fieldFor }) {
  const jar = new library.CookieJar(store, { looseMode: true });
  receive(jar, 'session=0123456789abcdef; Path=/; HttpOnly', at('/login'));
  for (const path of ['/me', '/doc', '/doc']) fieldFor(jar, at(path));
}

const byStore = {
  receive: (jar, line, url) => jar.store.receive(line, url, library),
  fieldFor: (jar, url) => jar.store.fieldFor(url, library),
};
const byJar = {
  receive: (jar, line, url) => jar.setCookieSync(line, url, { ignoreError: true }),
  fieldFor: (jar, url) => jar.getCookieStringSync(url),
};
const ways = {
  ours: () => iterate(new CookieStore(), byStore),
  'ours, cookies stored by the jar': () => iterate(new CookieStore(), { ...byJar, fieldFor: byStore.fieldFor }),
  'ours, fields by the jar, too': () => iterate(new CookieStore(), byJar),
  'of tough-cookie': () => iterate(undefined, byJar),
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
