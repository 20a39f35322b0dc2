import { expect } from 'chai';

import { flowOf } from '../../../../lib/addons/import/draft.js';
import { read } from '../../../../lib/addons/import/curl/index.js';

const draftOf = (script, options) =>
  read(script, { from: 'smoke.sh', folder: '/nowhere', keepSecrets: true, ...options });
/** The operations of all phases, without what says that curl does not follow redirects. */
const operationsOf = (script) => {
  const { beforeMain = [], main } = flowOf(draftOf(script));
  return [...beforeMain, ...main].map(({ followRedirect: _, ...operation }) => operation);
};

describe('import/curl: scripts', () => {
  const login = { post: '/login', json: { a: 1 }, capture: { token: '$.data.token' } };
  const me = { get: '/me', auth: { bearer: '#{token}' } };
  for (const [title, script] of [
    ['jq', `TOKEN=$(curl -s H/login --json '{"a":1}' | jq -r .data.token)`],
    ['jq in quotes, exported', `export TOKEN="$(curl -s H/login --json '{"a":1}' | jq -r '.data.token // empty')"`],
    ['jq with members in brackets', `TOKEN=\`curl -s H/login --json '{"a":1}' | jq -r '.["data"].token' | tr -d '"'\``],
    ['a stored response', `R=$(curl -s H/login --json '{"a":1}')\nTOKEN=$(echo "$R" | jq -r .data.token)`],
    [
      'a stored response, printf',
      `R=$(curl -s H/login --json '{"a":1}')\nTOKEN=$(printf '%s' "$R" | jq -r .data.token)`,
    ],
    ['a stored response, a here-string', `R=$(curl H/login --json '{"a":1}')\nTOKEN=$(jq -r .data.token <<< "$R")`],
    [
      'python',
      `TOKEN=$(curl -s H/login --json '{"a":1}' | python3 -c "import json,sys; print(json.load(sys.stdin)['data']['token'])")`,
    ],
    [
      'python with a variable',
      `TOKEN=$(curl -s H/login --json '{"a":1}' | python3 -c "import json, sys\nd = json.load(sys.stdin)\nprint(d['data']['token'])")`,
    ],
    [
      'python with get',
      `TOKEN=$(curl -s H/login --json '{"a":1}' \\\n  | python -c 'import sys, json; print(json.load(sys.stdin).get("data")["token"])')`,
    ],
  ])
    it(`a value that a script takes from a response is captured: ${title}`, () =>
      expect(
        operationsOf(`${script.replace('H/', 'http://localhost/')}\ncurl --oauth2-bearer "$TOKEN" http://localhost/me`),
      ).to.deep.equal([
        { ...login, capture: { token: script.includes('["data"]') ? "$['data'].token" : '$.data.token' } },
        me,
      ]));

  for (const [title, filter, text] of [
    ['grep and cut', `grep -o '"token":"[^"]*"' | head -1 | cut -d'"' -f4`, '"token":"([^"]*)"'],
    ['sed', `sed -n 's/.*"token" *: *"\\([^"]*\\)".*/\\1/p'`, '"token"\\s*:\\s*"([^"]*)'],
    ['sed with extended expressions', `sed -E 's/.*"token":"([^"]+)".*/\\1/'`, '"token":"([^"]+)'],
    ['grep with \\K', `grep -oP '"id":\\s*\\K\\d+' | head -n 1`, '"id":\\s*(\\d+)'],
    ['grep with what is around it', `grep -oP '(?<="token":")[^"]+(?=")'`, '"token":"([^"]+)"'],
    ['the whole response', 'cat', '^\\s*(\\S+)'],
  ])
    it(`a text that a script takes from a response is captured: ${title}`, () =>
      expect(
        operationsOf(
          `TOKEN=$(curl http://localhost/login | ${filter})\ncurl --oauth2-bearer $TOKEN http://localhost/me`,
        ),
      ).to.deep.equal([{ get: '/login', capture: { token: { text } } }, me]));

  for (const script of [
    `LOC=$(curl -si H/a | grep -i '^location:' | awk '{print $2}' | tr -d '\\r')`,
    `LOC=$(curl -D - -o /dev/null H/a | grep location: | cut -d ' ' -f2)`,
    `LOC=$(curl -so /dev/null -w '%{redirect_url}' H/a)`,
  ])
    it(`a field that a script takes from a response is captured: ${script}`, () =>
      expect(operationsOf(`${script.replace('H/', 'http://localhost/')}\ncurl "$LOC"`)).to.deep.equal([
        { get: '/a', capture: { loc: { header: 'location' } } },
        { get: '#{loc}' },
      ]));

  it('a request within another command comes before it', () =>
    expect(
      operationsOf(
        `curl -H "X-Id: $(curl http://localhost/ids | jq '.[0].id')" "http://localhost/$(curl http://localhost/b | jq -r .name)"`,
      ),
    ).to.deep.equal([
      { get: '/ids', capture: { id: '$[0].id' } },
      { get: '/b', capture: { name: '$.name' } },
      { get: '/#{name}', headers: { 'X-Id': '#{id}' } },
    ]));

  it('a value of a request that is skipped is read from the environment', () => {
    const { phases, environment, skipped } = draftOf(
      'TOKEN=$(\n  curl -d "$1" http://localhost/login | jq -r .token\n)\ncurl http://localhost/$TOKEN',
    );
    expect(phases.main.map(({ operation }) => operation.get)).to.deep.equal(['/#{env.TOKEN}']);
    expect(environment.map(({ name }) => name)).to.deep.equal(['TOKEN']);
    expect(skipped.map(({ what, why }) => `${what}: ${why}`).join()).to.match(
      /^curl http:\/\/localhost\/login: line 2: \$1 is an argument/,
    );
  });

  it('a value that a script computes from a response is read from the environment, and named', () => {
    const { dialectNotes, environment } = draftOf(
      `ID=$(curl http://localhost/a | awk '{print $2}')\ncurl http://localhost/$ID`,
    );
    expect(dialectNotes.join()).to.contain('GET /a: The script computes ID from the response');
    expect(environment.map(({ name }) => name)).to.deep.equal(['ID']);
  });

  it('a variable that a shell computes is read from the environment, and named if a request needs it', () => {
    const { phases, skipped } = draftOf(
      'SHA=$(sha1sum --tag geheim)\nCOUNT=$(wc -l log)\ncurl http://localhost/$SHA\necho $COUNT; sleep 1',
    );
    expect(phases.main[0].operation.get).to.equal('/#{env.SHA}');
    expect(skipped).to.deep.equal([
      { what: '$SHA', why: 'line 1: $(sha1sum …) is computed by the shell: SHA is read from the environment' },
    ]);
  });

  for (const [expansion, shown] of [
    ['$(sha1sum geheim)', '$(sha1sum …)'],
    ['$(KEY=geheim sign)', '$(KEY …)'],
    ['`sha1sum geheim`', '`sha1sum …`'],
    ['${KEY//a/geheim}', '${KEY …}'],
    ['${KEY:-{geheim}}', '${KEY …}'],
    ['${KEY:+geheim}', '${KEY …}'],
    ['$((1+2))', '$((1+2))'],
    ['${#KEY}', '${#KEY}'],
  ])
    it(`${expansion} is named without its words`, () => {
      const [{ what, why }] = draftOf(`curl http://localhost/${expansion}\ncurl http://localhost/b`).skipped;
      expect(what).to.equal(`curl http://localhost/${shown}`);
      expect(why)
        .to.match(/^line 1: /)
        .and.contain(` ${shown} is `);
    });

  it('arguments of a script are named, unless they have a default', () => {
    const { phases, skipped } = draftOf(
      'BASE="${1:-http://localhost:3000}"\ncurl $BASE/a\ncurl "$BASE/$2"\ncurl -d "${3}" $BASE\ncurl ${HOST:-localhost}/b',
    );
    expect(phases.main.map(({ operation }) => operation.get)).to.deep.equal(['/a', 'http://localhost/b']);
    expect(skipped.map(({ why }) => why)).to.deep.equal([
      'line 3: $2 is an argument of the script, or a state of the shell: write its value',
      'line 4: ${3} is an argument of the script, or a state of the shell: write its value',
    ]);
  });

  for (const [title, script, body] of [
    ['echo', `echo '{"a":1}' | curl -d @- http://localhost/`, '{"a":1}'],
    ['printf', `printf '{"a":"%s"}' x; printf 'a\\nb' | curl --data-binary @- http://localhost/`, 'a\nb'],
    ['a here-document', `cat <<'END' | curl --data-binary @- http://localhost/\n{"a": "$b"}\nEND\n`, '{"a": "$b"}\n'],
    ['a file', 'cat body.json | curl --data-binary @- http://localhost/', { file: 'body.json' }],
    ['a file as an upload', 'cat body.json | curl -T - http://localhost/', { file: 'body.json' }],
    [
      'a here-document in $(…)',
      `curl http://localhost/ -H 'Content-Type: text/plain' -d "$(cat <<EOF\n{"a": "it's (b"}\nEOF\n)"`,
      '{"a": "it\'s (b"}',
    ],
  ])
    it(`a body comes from a pipe: ${title}`, () => expect(operationsOf(script)[0].body).to.deep.equal(body));

  it('values of the client are tokens', () =>
    expect(
      operationsOf(
        `curl -H "X-Request-Id: $(uuidgen | tr A-Z a-z)" -H "Date2: $(date -u +%Y-%m-%dT%H:%M:%SZ)" "http://localhost/?t=$(date +%s)" -H "Authorization: Basic $(echo -n joe:geheim | base64)"`,
      ),
    ).to.deep.equal([
      {
        get: '/?t=#{timestamp}',
        headers: { 'X-Request-Id': '#{uuid}', Date2: '#{isoTimestamp}', Authorization: 'Basic am9lOmdlaGVpbQ==' },
      },
    ]));

  it('names that documentation leaves to the reader are variables', () =>
    expect(operationsOf('curl --url <BASE_URL>/items/<item-id>/{{kind}} -o out >log 2>&1').at(0)).to.deep.equal({
      get: '/items/#{env.ITEM_ID}/#{env.KIND}',
    }));

  it('flags in a variable are words, and other texts stay whole', () => {
    const { phases, dialectNotes } = draftOf(
      `CURL='curl -s -X PUT'\nFLAGS="-s -H X-A:1"\nQ='a b'\n$CURL $FLAGS http://localhost/a -d $Q\ncurl $CURL_OPTS "http://localhost/b"`,
    );
    expect(phases.main.map(({ operation }) => operation)).to.deep.equal([
      { put: '/a', headers: { 'X-A': '1', 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a b' },
      { get: '/b', followRedirect: false },
    ]);
    expect(dialectNotes).to.deep.equal(['GET /b: the flags that $CURL_OPTS has are not known: write them.']);
  });

  it('requests of functions are read, and a curl command that another program runs is named', () => {
    const { phases, skipped } = draftOf(
      'a() { curl http://localhost/a; }\nfunction b { curl http://localhost/b; }\nfunction c() {\nenv X=1 curl http://localhost/c\n}\nwhich curl; apt-get install curl jq\ntimeout 5 curl http://localhost/d\nkubectl exec web -- sh -c "curl localhost/e"',
    );
    expect(phases.main.map(({ operation }) => operation.get)).to.deep.equal(['/a', '/b', '/c']);
    expect(skipped.map(({ what, why }) => `${what}: ${why}`)).to.deep.equal(
      ['which', 'apt-get', 'timeout', 'kubectl'].map(
        (name, i) => `${name}: ${i < 2 ? 'it is not curl' : 'the curl command in it is not read: write it alone'}`,
      ),
    );
  });

  it('signs of programs for texts are named', () => {
    const { skipped } = draftOf(
      'curl http://localhost/\ncurl -H ‘Content-Type: text/plain’ http://localhost/\ncurl –X POST http://localhost/',
    );
    expect(skipped.map(({ why }) => why).join()).to.match(
      /line 2: ‘ is a sign.*line 2: ’ is a sign.*line 3: – is a sign/s,
    );
  });

  it('an & that ends a URL is named', () =>
    expect(draftOf('curl http://localhost/?a=1&b=2').dialectNotes.join()).to.contain('write the URL in quotes'));

  it('conditions and loops are around requests, and programs that show a response are none', () => {
    const { phases, skipped } = draftOf(
      `until curl -sf http://localhost/health | jq . | head -1; do sleep 1; done\nif ! curl http://localhost/a; then curl http://localhost/b; fi\nfor i in 1 2; do curl http://localhost/c; done`,
    );
    expect(phases.main.map(({ operation }) => operation.get)).to.deep.equal(['/health', '/a', '/b', '/c']);
    expect([...new Set(skipped.map(({ what }) => what))]).to.deep.equal(['for']);
  });

  for (const [title, script] of [
    ['without quotes', `curl H/a/${'$('.repeat(3000)}echo a${')'.repeat(3000)}`],
    ['in quotes', `curl H/a/${'"$(echo '.repeat(3000)}a${')"'.repeat(3000)}`],
  ])
    it(`substitutions that are nested too deeply are left to the shell: ${title}`, () =>
      expect(draftOf(`curl H/first\n${script}`).skipped[0].why).to.contain('is computed by the shell'));

  it('a variable that doubles itself is read from the environment in the end', () => {
    const script = `A=aaaaaaaaaa\n${'A=$A$A\n'.repeat(40)}curl -d "$A" http://localhost/`;
    expect(operationsOf(script)[0].body ?? operationsOf(script)[0].form).to.match(/^(?:#\{env\.A\})+$/);
  });

  it('hundreds of thousands of empty lines are read in linear time', () =>
    expect(operationsOf(`curl http://localhost/a${'\n'.repeat(300_000)}curl http://localhost/b`)).to.deep.equal([
      { get: '/a' },
      { get: '/b' },
    ]));

  it('the file of a cookie jar needs no comment, another one does', () => {
    const { dialectNotes } = draftOf(
      'curl -c jar.txt -d a=1 http://localhost/login\ncurl -b jar.txt http://localhost/me\ncurl -b other.txt http://localhost/me',
    );
    expect(dialectNotes).to.deep.equal(['GET /me: the cookies of the file other.txt are not read: write them.']);
  });

  it('names of documentation in quotes, and variables of a workflow, are variables', () =>
    expect(
      operationsOf('curl "https://<your-domain>/people" -H "X-Own: ${{ secrets.OWN }}"\ncurl ${{ vars.URL }}/a'),
    ).to.deep.equal([{ get: '/people', headers: { 'X-Own': '#{env.OWN}' } }, { get: '#{env.URL}/a' }]));

  it('a URL may have one slash, as those of unix sockets', () =>
    expect(operationsOf('curl --unix-socket /run/docker.sock http:/v1.24/info')).to.deep.equal([
      { get: '/info', socketPath: '/run/docker.sock' },
    ]));
});
