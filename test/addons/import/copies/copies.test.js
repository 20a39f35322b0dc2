import { expect } from 'chai';

import { read as readFetch } from '../../../../lib/addons/import/copies/fetch.js';
import { read as readPowerShell } from '../../../../lib/addons/import/copies/powershell.js';
import { flowOf } from '../../../../lib/addons/import/draft.js';
import { sourceOf } from '../../../../lib/addons/import/sources.js';

const options = { from: 'copy.txt', folder: '.' };
const flow = (read, text) => flowOf(read(text, options));

describe('bench-rest import: copies of a browser', () => {
  it('"Copy as fetch" of Chrome is an operation with its fields and JSON', () => {
    const text = `fetch("http://localhost:3000/items?a=[1]", {
  "headers": {
    "accept": "application/json",
    "content-type": "application/json"
  },
  "referrer": "http://localhost:3000/",
  "body": "{\\"name\\":\\"a\\\\n\\"}",
  "method": "POST",
  "mode": "cors",
  "credentials": "include"
});`;
    expect(sourceOf(text, 'copy.txt').name).to.equal('fetch');
    const { baseUrl, main } = flow(readFetch, text);
    expect(baseUrl).to.equal('http://localhost:3000');
    expect(main).to.have.lengthOf(1);
    expect(main[0]).to.deep.include({ post: '/items?a=[1]', json: { name: 'a\n' } });
    expect(main[0].headers).to.include({ Referer: 'http://localhost:3000/' });
    expect(main[0]).to.not.have.property('followRedirect');
  });

  it('several of Firefox, and of Node.js, are operations in their order', () => {
    const text = `await fetch("http://localhost:1/a", {
    "credentials": "omit", "headers": { "User-Agent": "Mozilla/5.0", "Accept": "*/*" }, "method": "GET", "mode": "cors"
});
await fetch('http://localhost:1/b', { method: 'PUT', body: 'x=1', headers: { cookie: 'sid=1' } });`;
    const { main } = flow(readFetch, text);
    expect(main.map(({ get, put }) => get ?? put)).to.deep.equal(['/a', '/b']);
    expect(main[0].headers).to.include({ 'User-Agent': 'Mozilla/5.0' });
  });

  it('a call with an expression is named, and nothing is run', () => {
    const draft = readFetch(
      `fetch("http://localhost:1/a"); fetch(process.exit(7)); fetch("/b", { body: go() }); fetch("http://localhost:1/c", init);
fetch("http://localhost:1/d", { headers: { a: go(), [b]: "", ...c } });`,
      options,
    );
    expect(flowOf(draft).main).to.have.lengthOf(1);
    expect(draft.skipped).to.deep.equal([
      { what: 'fetch', why: 'its URL is an expression' },
      { what: 'fetch', why: 'its URL has no origin; body: go() is an expression' },
      { what: 'fetch http://localhost:1/c', why: 'init is an expression' },
      {
        what: 'fetch http://localhost:1/d',
        why: 'a: go() is an expression; [b]: "" is an expression; ...c is an expression',
      },
    ]);
    expect(() => readFetch('fetch("http://a', options)).to.throw(/copy\.txt: is no JavaScript.*Copy as fetch/s);
  });

  it('"Copy as PowerShell" is an operation with the fields of its session', () => {
    const text = `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0 (X11)"
$session.Cookies.Add((New-Object System.Net.Cookie("theme", "dark", "/", "localhost")))
Invoke-WebRequest -UseBasicParsing -Uri "http://localhost:3000/items" \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
"authority"="localhost:3000"
  "method"="POST"
  "accept"="application/json"
  "x-quote"="a \`"b\`" \`$c"
} \`
-ContentType "application/json" \`
-Body "{\`"name\`":\`"a$([char]233)\`"}"`;
    expect(sourceOf(text, 'copy.txt').name).to.equal('powershell');
    const { baseUrl, main } = flow(readPowerShell, text);
    expect(baseUrl).to.equal('http://localhost:3000');
    expect(main).to.have.lengthOf(1);
    const [{ post, json, headers, cookies }] = main;
    expect({ post, json }).to.deep.equal({ post: '/items', json: { name: 'aé' } });
    expect(headers).to.include({ 'User-Agent': 'Mozilla/5.0 (X11)', 'x-quote': 'a "b" $c' });
    expect(headers).to.not.have.any.keys('authority', 'method');
    expect(cookies ?? headers).to.satisfy((all) => JSON.stringify(all).includes('dark'));
  });

  it('a cookie of a session goes to its domain, in requests of the session alone', () => {
    const text = `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.Cookies.Add((New-Object System.Net.Cookie("sid", "abc", "/", "a.test")))
Invoke-WebRequest -Uri "http://a.test/1" -WebSession $session
Invoke-WebRequest -Uri "http://b.test/2" -WebSession $session
Invoke-WebRequest -Uri "http://a.test/3"
$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
Invoke-WebRequest -Uri "http://a.test/4" -WebSession $session`;
    const { main } = flowOf(readPowerShell(text, { ...options, keepSecrets: true }));
    expect(main.map((one) => JSON.stringify(one).includes('sid'))).to.deep.equal([true, false, false, false]);
  });

  it('an expression in any place is named, and none is sent as a text', () => {
    const parts = ['-Body $body', '-Headers $headers', '-Headers @{ Authorization = $tok }', '-Body "a``$x"'];
    const text = [
      'Invoke-WebRequest -Uri "http://a.test/"',
      'Invoke-WebRequest -Uri \'http://a.test/\' -Method POST -Body \'{"a":"$b"}\'',
    ]
      .concat(parts.map((part) => `Invoke-WebRequest -Uri "http://a.test/" ${part}`))
      .join('\n');
    const draft = readPowerShell(text, options);
    expect(flowOf(draft).main).to.have.lengthOf(2);
    expect(draft.skipped).to.have.lengthOf(4);
  });

  it('braces in a field, and parentheses in bytes, belong to them', () => {
    const text =
      'Invoke-WebRequest -Uri "http://a.test/" -Method "POST" -Headers @{\n"x-meta"="{`"a`":1}"\n} `\n-Body ([System.Text.Encoding]::UTF8.GetBytes("f(g(x)) $([char]233)"))';
    const { main } = flowOf(readPowerShell(text, options));
    expect(main[0]).to.deep.include({ body: 'f(g(x)) é' });
    expect(main[0].headers).to.include({ 'x-meta': '{"a":1}' });
  });

  it('a copy that is cut off is refused, wherever a word, a table or a line is open', () => {
    const text = `Invoke-WebRequest -Uri "http://a.test/" \`
-Method 'POST' \`
-Headers @{
"x"="y"
} \`
-Body ([System.Text.Encoding]::UTF8.GetBytes("a"))`;
    const ends = [
      '"http://a',
      '/" `',
      '\n-Meth',
      "'PO",
      '@{',
      '"x"="',
      '"y"',
      '} `',
      '-Body',
      '-Body (',
      '("a',
      '("a")',
    ];
    for (const end of ends) {
      const cut = text.slice(0, text.indexOf(end) + end.length);
      expect(() => readPowerShell(cut, options), cut).to.throw(/has no PowerShell request that can be sent; Invoke/);
    }
    expect(flow(readPowerShell, text).main[0]).to.deep.include({ post: '/', body: 'a' });
  });

  it('a session that is not in the copy is a note', () =>
    expect(
      readPowerShell('Invoke-WebRequest -Uri "http://a.test/" -WebSession $own', options).dialectNotes,
    ).to.deep.equal(['GET /: $own is not in the copy: its cookies and User-Agent are left out.']));

  it('several are counted in words', () => {
    const [fetches, requests] = [
      readFetch('fetch("http://a.test/1"); fetch("http://a.test/2")', options),
      readPowerShell('Invoke-WebRequest -Uri "http://a.test/1"\nInvoke-WebRequest -Uri "http://a.test/2"', options),
    ].map(({ comments }) => comments[0]);
    expect(fetches).to.equal('Made from 2 fetch calls by bench-rest import.');
    expect(requests).to.equal('Made from 2 PowerShell requests by bench-rest import.');
  });

  it('a parameter without an equivalent, and a variable, are named', () => {
    const text =
      'Invoke-WebRequest -Uri "http://localhost:1/a"\nInvoke-RestMethod -Uri "http://localhost:1/b" -Proxy "http://p"\nInvoke-RestMethod -Uri "$base/c"';
    const draft = readPowerShell(text, options);
    expect(flowOf(draft).main).to.have.lengthOf(1);
    expect(draft.skipped.map(({ why }) => why)).to.deep.equal([
      '-proxy has no equivalent',
      '-uri is an expression; it has no -Uri that is a URL',
    ]);
  });
});
