import { expect } from 'chai';

import { loadCommands } from '../lib/core/cli/commands/index.js';
import { readArguments } from '../lib/core/cli/options.js';

const commands = await loadCommands();

const readWords = (line) =>
  readArguments(line.split(' '), { version: '1.2.3', commands, env: {}, columns: 80, cwd: () => import.meta.dirname });

/** The lines of the answer, without its title. */
function problemsOf(line) {
  try {
    readWords(line);
    return [];
  } catch (error) {
    return error.message.split(/\n {2}/).filter((problem) => !/^(unknown|invalid) options$/.test(problem));
  }
}

describe('flags in other spellings, and refused flags', () => {
  for (const [line, args] of [
    ['--maxRequestsPerUser 5 http://h/', '--max-requests-per-user 5 http://h/'],
    ['http://h/ --baseUrl=http://H/', 'http://h/ --base-url=http://H/'],
    [
      '--base_url http://H/ --Max_Body_Memory 1 --noKeepAlive --baseURL=/ /',
      '--base-url http://H/ --max-body-memory 1 --no-keep-alive --base-url=/ /',
    ],
    ['ab a b --maxRegression p99=1%', 'ab a b --max-regression p99=1%'],
    ['-p --maxBodyMemory -u ann x.js', '-p --maxBodyMemory -u ann x.js'],
    ['-n5 -c2 -- --baseUrl', '-n5 -c2 -- --baseUrl'],
    ['--dashboard x.js', '--dashboard x.js'],
    ['-oresult.json -uann x.js', '-oresult.json -uann x.js'],
    ['report - --format csv', 'report - --format csv'],
    ['--headers a=b --data x --no-keepalive URL', '--header a=b --body x --no-keep-alive URL'],
    ['--title=--json -b -1 URL', '--title=--json -b -1 URL'],
    ['--unixSocket /s URL', '--socket-path /s URL'],
  ])
    it(`${line} is read as ${args}`, () => expect(readWords(line)).to.deep.equal(readWords(args)));

  for (const [line, problems] of [
    ['--max-vus 5 -z 5s URL', [/^k6's --max-vus is -c, --concurrency here$/, /^-z of .* write -t, --duration \(hey/]],
    ['--concurency 5 URL', [/^unknown option '--concurency', did you mean --concurrency\?$/]],
    ['--concurency=5 URL', [/'--concurency', did you mean --concurrency\?$/]],
    ['--conections 5 URL', [/^unknown option '--conections', did you mean --connections\?$/]],
    ['--postbody x URL', [/^unknown option '--postbody', did you mean -b, --body\?$/]],
    ['--vuss 5 URL', [/^unknown option '--vuss', did you mean -c, --concurrency\?$/]],
    [
      '--compresed URL',
      [/^unknown option '--compresed': --compressed of curl and fortio is not an option here: write gzip/],
    ],
    ['compare --conections 5 a b', [/^unknown option '--conections'$/]],
    ['--json-body {} URL', [/^there is no --json-body: write -b '{"a":1}' -T json, or json: /]],
    ['--jsonBody {} URL', [/^there is no --jsonBody: write -b /]],
    ['-Y URL', [/^unknown option '-Y'$/]],
    ['-rate 5 -duration=5s URL', [/^-rate: .* --rate$/, /^-duration=5s: .* --duration$/]],
    ['-disable-keepalive URL', [/^--disable-keepalive of .* is --no-keep-alive here$/]],
    ['--max-connections 5 --rps 3 URL', [/ is -c, --concurrency here$/, / is -r, --rate here$/]],
    ['--overallRate 5 URL', [/^autocannon's --overallRate is -r, --rate here$/]],
    ['-X POST http://h/', [/write -x, --proxy \(ab\), or -m, --method \(curl/]],
    ['--keepalive=false URL', [/^--keep-alive takes no value: write --no-keep-alive$/]],
    ['--insecure=true URL', [/^--insecure takes no value: write --insecure alone, or leave it out$/]],
    ['-h2 URL', [/^-?-h2 of .* HTTP\/1\.1$/]],
    ['-cpus 2 URL', [/^--cpus of hey and vegeta is -w, --workers here$/]],
    ['-r -n 10 URL', [/^-r, --rate <rate> needs a value, and -n is a flag\. It is the arrival rate.*leave -r out$/]],
    ['-n -c 2 URL', [/^-n, --iterations <n> needs a value, and -c is a flag\. Expected a whole number/]],
    ['-name x -Y URL', [/^--name of .* is --title here$/, /^unknown option '-Y'$/]],
    ['-hQ URL', [/^unknown option '-Q'$/]],
    ['compare --connections 5 a b', [/^unknown option '--connections': it is a flag of a run/]],
    ['serve -n 5', [/^unknown option '-n'$/]],
    ['serve --serve-port 8', [/^unknown option '--serve-port', did you mean --port\?$/]],
    ['agent --agents-queue redis://h', [/^unknown option '--agents-queue', did you mean --queue\?$/]],
    ['capacity --rate 5 URL', [/^unknown option '--rate': it is a flag of a run, and capacity does not have it$/]],
    ['ab --paired a b', [/^there is no --paired: ab runs both sides in turn and tests the runs as pairs/]],
    ['compare --shard 1/2 a b', [/^unknown option '--shard': it is a flag of a run, and compare does not have it$/]],
    ['-x -n 2 URL', [/^-x, --proxy <url> needs a value, and -n is a flag; if it is the value, write --proxy=-n$/]],
    ['-b -t1m URL', [/^-b, --body <text> needs a value, and -t1m is a flag; if it is the value, write --body=-t1m$/]],
    ['--color -n 2 URL', [/^--color <when> needs a value: one of auto, always, never$/]],
    ['--title --json URL', [/^--title <text> needs a value, and --json is a flag/]],
  ])
    it(`${line} is refused`, () => {
      const found = problemsOf(line);
      expect(found).to.have.lengthOf(problems.length);
      problems.forEach((expected, i) => expect(found[i]).to.match(expected));
    });

  for (const line of ['--help --foo', '-V --foo', 'serve --help --foo'])
    it(`${line} needs no other flag to be known`, () => expect(problemsOf(line)).to.deep.equal([]));

  for (const line of ['-X POST http://h/', '-R 500 http://h/', '-D host http://h/', '-Z AES128-SHA256 http://h/'])
    it(`${line} is refused, and answered`, () => expect(problemsOf(line)).to.have.lengthOf(1));
});
