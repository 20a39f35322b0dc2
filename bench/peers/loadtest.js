import { notInstalled, pathInBench } from './installed.js';

export default {
  name: 'loadtest',
  works: ['plain-get', 'websocket'],
  missing: () => notInstalled('loadtest'),
  // --tcp is its fastest client by its own documentation
  command({ url, work, seconds, connections }) {
    return [
      process.execPath,
      pathInBench('node_modules/loadtest/bin/loadtest.js'),
      ...(work === 'websocket' ? [] : ['--tcp', '-k']),
      '--cores',
      '1',
      '-c',
      String(connections),
      '-t',
      String(Math.ceil(seconds)),
      `${url}/`,
    ];
  },
  read(stdout) {
    const number = (name) => Number(new RegExp(`${name}:\\s+([\\d.]+)`).exec(stdout)[1]);
    return { requests: number('Completed requests'), seconds: number('Total time'), errors: number('Total errors') };
  },
};
