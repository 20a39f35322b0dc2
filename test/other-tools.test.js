import { expect } from 'chai';

import { loadCommands } from '../lib/core/cli/commands/index.js';
import { refuseFlags } from '../lib/core/cli/refuse-arguments.js';
import { createProgram, readArguments } from '../lib/core/cli/options.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { explainName } from '../lib/core/run/options/names.js';
import { itSlow } from './support/slow.js';

const commands = await loadCommands();

const program = createProgram({ version: '', commands, env: {}, submit() {} });

/**
 * By tool: the flags as they are written there, one after the other, and the options of its programs.
 * @type {Record<string, { flags: string, options?: string }>}
 */
const TOOLS = {
  ab: {
    flags: '-A -B -b -C -c -d -E -e -f -g -H -h -I -i -k -l -m -n -P -p -q -r -S -s -T -t -u -V -v -w -X -x -y -Z -z',
  },
  Artillery: {
    flags:
      '--target --output --insecure --quiet --overrides --variables --environment --config --payload --env-file --dotenv ' +
      '--solo --count --num --name --tags --note --record --key --scenario-name',
  },
  autocannon: {
    flags:
      '-c --connections -p --pipelining -d --duration -a --amount -L --sampleInt -S --socketPath -w --workers -W --warmup ' +
      '--on-port -m --method -t --timeout -T --title -b --body -F --form -i --input -H --headers --har -B --bailout ' +
      '-M --maxConnectionRequests -O --maxOverallRequests -r --connectionRate -R --overallRate ' +
      '-C --ignoreCoordinatedOmission -D --reconnectRate -n --no-progress -l --latency -I --idReplacement -j --json ' +
      '-f --forever -s --servername -x --excludeErrorStats -E --expectBody --renderStatusCodes --cert --key --ca --debug ' +
      '-v --version -V --verbose -h --help',
    options:
      'url socketPath workers connections duration amount sampleInt timeout pipelining bailout method title body form ' +
      'headers initialContext setupClient verifyBody maxConnectionRequests maxOverallRequests connectionRate overallRate ' +
      'ignoreCoordinatedOmission reconnectRate requests idReplacement forever servername excludeErrorStats expectBody ' +
      'tlsOptions skipAggregateResult har warmup debug setupRequest onResponse renderStatusCodes',
  },
  bombardier: {
    flags:
      '-c --connections -t --timeout -l --latencies -m --method -b --body -f --body-file -s --stream --cert --key ' +
      '-k --insecure -a --disableKeepAlives -H --header -n --requests -d --duration -r --rate --fasthttp --http1 --http2 ' +
      '-p --print -q --no-print -o --format --version --help',
  },
  curl: {
    flags:
      '-4 --ipv4 -6 --ipv6 -A --user-agent -b --cookie -c --cookie-jar -d --data --data-ascii --data-binary --data-raw ' +
      '--data-urlencode -e --referer -E --cert -f --fail -F --form --form-string -G --get -H --header -I --head ' +
      '-i --include -K --config -k --insecure -L --location --location-trusted -m --max-time -n --netrc -N --no-buffer ' +
      '-o --output -O --remote-name -s --silent -S --show-error -T --upload-file -u --user -U --proxy-user -v --verbose ' +
      '-V --version -w --write-out -x --proxy -X --request --aws-sigv4 --basic --digest --ntlm --negotiate --oauth2-bearer ' +
      '--bearer --cacert --capath --ciphers --compressed --connect-timeout --connect-to --dns-servers --http1.0 --http1.1 ' +
      '--http2 --http2-prior-knowledge --http3 --interface --json --keepalive-time --key --limit-rate --max-redirs ' +
      '--no-keepalive --noproxy --path-as-is --proxy-insecure --resolve --retry --retry-delay --tls-max --tlsv1.2 ' +
      '--tlsv1.3 --trace --unix-socket --url --rate --parallel --parallel-max',
  },
  fortio: {
    flags:
      '-c -n -t -qps -r -a -abort-on -allow-initial-errors -H -X -L -http1.0 -h2 -jitter -json -k -https-insecure ' +
      '-keepalive -labels -log-errors -loglevel -nocatchup -offset -p -payload -payload-file -payload-size -profile ' +
      '-quiet -resolve -resolve-ip-type -s -sequential-warmup -stdclient -timeout -uniform -user -runid -connection-reuse ' +
      '-content-type -compression -data-dir -cert -key -cacert -mtls -unix-socket -gomaxprocs -httpbufferkb -http-proxy',
  },
  hey: {
    flags:
      '-n -c -q -z -o -m -H -t -A -d -D -T -a -x -U -h2 -host -disable-compression -disable-keepalive -disable-redirects ' +
      '-cpus',
  },
  k6: {
    flags:
      '-u --vus -d --duration -i --iterations -s --stage --execution-segment --execution-segment-sequence -p --paused ' +
      '--no-setup --no-teardown --max-redirects --batch --batch-per-host --rps --user-agent --http-debug ' +
      '--insecure-skip-tls-verify --no-connection-reuse --no-vu-connection-reuse --min-iteration-duration -w --throw ' +
      '--blacklist-ip --block-hostnames --summary-trend-stats --summary-time-unit --summary-mode --system-tags --tag ' +
      '--console-output --discard-response-bodies --local-ips --dns --include-system-env-vars --compatibility-mode ' +
      '-t --type -e --env --no-thresholds --no-summary --summary-export --traces-output -o --out -l --linger ' +
      '--no-usage-report -a --address -c --config --log-output --log-format --no-color -q --quiet -v --verbose ' +
      '--profiling-enabled --setup-timeout --teardown-timeout --secret-source --max-vus --pre-allocated-vus',
  },
  loadtest: {
    flags:
      '-n --maxRequests -c --concurrency -t --maxSeconds -k --keepalive -C --cookie -H --header -T --contentType -P --body ' +
      '-p --postFile -u --putFile -a --patchFile -A --patchBody --data -r --recover -s --secureProtocol ' +
      '-R --requestGenerator -m --method -V --version --rps --agent --index --proxy --quiet --debug --insecure --key ' +
      '--cert --cores --tcp --timeout --delay --error --percent',
    options:
      'url maxRequests concurrency maxSeconds timeout cookies headers method body contentType requestsPerSecond ' +
      'requestGenerator agentKeepAlive quiet indexParam indexParamCallback insecure secureProtocol statusCallback ' +
      'contentInspector recover cores proxy cert key file tcp',
  },
  oha: {
    flags:
      '-n -c -p -z -w -q --burst-delay --burst-rate --rand-regex-url --urls-from-file --max-repeat --dump-urls ' +
      '--latency-correction --no-tui --fps -m --method -H --proxy-header -t --connect-timeout -A -d -D -Z -F -T -a ' +
      '--aws-session --aws-sigv4 -x --proxy-http-version --proxy-http2 --http-version --http2 --host ' +
      '--disable-compression -r --redirect --disable-keepalive --no-pre-lookup --ipv6 --ipv4 --cacert --cert --key ' +
      '--insecure --connect-to --no-color --disable-color --unix-socket --vsock-addr --stats-success-breakdown --db-url ' +
      '--debug -o --output --output-format -u --time-unit -j -V',
  },
  vegeta: {
    flags:
      '-body -cert -chunked -connect-to -connections -dns-ttl -duration -format -h2c -header -http2 -insecure -keepalive ' +
      '-key -laddr -lazy -max-body -max-connections -max-workers -name -output -prometheus-addr -proxy-header -rate ' +
      '-redirects -resolvers -root-certs -session-tickets -targets -timeout -unix-socket -workers -cpus -profile',
  },
  wrk: {
    flags:
      '-c --connections -d --duration -t --threads -s --script -H --header --latency --timeout -v --version -R --rate ' +
      '-L -U --u_latency -B --batch_latency',
  },
};

const ours = new Set(RUN_OPTIONS.map(({ name }) => name));
/** What a name answers that is one of ours, written differently. */
const OWN = /write it with two dashes|takes no value|^--?[\w-]+ is --?[\w-]/;

for (const [tool, { flags, options = '' }] of Object.entries(TOOLS)) {
  describe(`names of ${tool}`, () => {
    const flagNames = flags.split(' ');
    const optionNames = options.split(' ').filter(Boolean);

    const problemsOf = (flag) => refuseFlags([flag, 'value', 'http://localhost/'], program).flags;

    it('each flag is one of ours, or is answered with what to write', () => {
      const wrong = flagNames.filter((flag) =>
        problemsOf(flag).some((text) => /unknown option|did you mean/.test(text)),
      );
      expect(wrong).to.deep.equal([]);
    });

    it('each answer names the tool, unless people try the name anyway', () => {
      const silent = flagNames.filter((flag) =>
        problemsOf(flag).some((text) => !text.includes(tool) && !/^there is no /.test(text) && !OWN.test(text)),
      );
      expect(silent).to.deep.equal([]);
    });

    itSlow('each flag has one answer', () => {
      for (const flag of flagNames) {
        const count = problemsOf(flag).length;
        if (count === 0) continue;
        expect(refusalOf([flag, '2', '-n', '1', 'http://localhost/']).split('\n'), flag).to.have.lengthOf(1);
      }
    });

    it('each run option is one of ours, or is answered with what to write', () => {
      const unknown = optionNames.filter((name) => !ours.has(name) && !explainName(name, 'option'));
      expect(unknown).to.deep.equal([]);
    });
  });
}

/** What the command answers. @type {(args: string[]) => string} */
function refusalOf(args) {
  try {
    readArguments(args, { version: '', commands, env: {}, columns: 80, cwd: () => import.meta.dirname });
  } catch (error) {
    return error.message;
  }
  return '';
}
