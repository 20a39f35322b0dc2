import dns from 'node:dns';

/**
 * A `lookup` for net.connect that asks once for each host and run, or for each connection.
 *
 * @param {{ lookup?: typeof dns.lookup, lookupEach?: boolean }} options
 */
export function createResolver({ lookup = dns.lookup, lookupEach = false }) {
  /** @type {Map<string, Promise<dns.LookupAddress[]>>} */
  const known = new Map();

  /** @type {(hostname: string) => Promise<dns.LookupAddress[]>} */
  const ask = (hostname) =>
    new Promise((resolve, reject) => {
      lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
    });

  return {
    /** @type {(hostname: string, options: dns.LookupOptions, callback: (...results: any[]) => void) => void} */
    lookup(hostname, options, callback) {
      let addresses = known.get(hostname);
      if (!addresses) {
        if (known.size >= 1000) known.clear();
        addresses = ask(hostname);
        if (!lookupEach) known.set(hostname, addresses);
      }
      addresses.then(
        (all) => {
          const fitting = options.family ? all.filter(({ family }) => family === Number(options.family)) : all;
          const [first] = fitting;
          if (!first)
            callback(
              Object.assign(new Error(`no address of ${hostname}`), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
            );
          else if (options.all) callback(null, fitting);
          else callback(null, first.address, first.family);
        },
        (error) => callback(error),
      );
    },

    /** After a failed connect: a target that moved is found again. A name that does not exist is not asked for again. @type {(hostname: string) => void} */
    forget(hostname) {
      known.delete(hostname);
    },
  };
}
