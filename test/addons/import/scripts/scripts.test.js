import { expect } from 'chai';

import { readScripts } from '../../../../lib/addons/import/scripts/read-scripts.js';
import { withoutMarks } from '../../../../lib/addons/import/tokens.js';
import { Variables } from '../../../../lib/addons/import/variables.js';

describe('import/scripts', () => {
  const reading = (text, more) => {
    const variables = new Variables({});
    const { comments, ...parts } = readScripts([{ text, isAfter: true, ...more }], variables);
    return { ...parts, comments, filled: (one) => withoutMarks(variables.text(one)) };
  };
  const captureOf = (text) => reading(text).capture;

  for (const [title, text, capture] of [
    [
      'a default of a part',
      'var res = JSON.parse(responseBody); var i = res.item || {}; pm.globals.set("x", i.slug)',
      '$.item.slug',
    ],
    ['a pattern', 'const { user: { token: t } } = pm.response.json(); pm.environment.set("x", t);', '$.user.token'],
    [
      'a list and its last item',
      'let r = pm.response.json();\npm.environment.set("x", r.items[r.items.length - 1].id)',
      '$.items[-1].id',
    ],
    [
      'the end of Location',
      'pm.environment.set("x", pm.response.headers.get("Location").split("/").pop())',
      { header: 'location', match: '([^/]*)$' },
    ],
    ['a cookie', 'pm.environment.set("x", postman.getResponseCookie("sid").value)', { cookie: 'sid' }],
    [
      'an older function',
      'var d = JSON.parse(responseBody); postman.setEnvironmentVariable("x", d["a-b"]);',
      "$['a-b']",
    ],
    [
      'a block under a condition',
      'if (pm.response.code === 200) { pm.environment.set("x", pm.response.json().id) } else { pm.environment.set("x", "") }',
      '$.id',
    ],
    [
      'the item that a function finds',
      'const r = pm.response.json(); pm.environment.set("x", r.items.find((one) => one.name === "a" && one.n > 2).id)',
      '$.items[?(@.name == "a" && @.n > 2)].id',
    ],
    [
      'the first one of a filter',
      'const all = pm.response.json().filter(function (i) { return i.user.on == true; }); pm.globals.set("x", all[0].id)',
      '$[?@.user.on == true].id',
    ],
    [
      'a member of an item',
      'const [, second] = pm.response.json().list.map((i) => i.id); pm.globals.set("x", second)',
      '$.list[1].id',
    ],
    ['a function of JetBrains', 'client.global.set("x", response.body["items"][0].id);', '$.items[0].id'],
  ])
    it(`a variable is captured: ${title}`, () => {
      const read = reading(text);
      expect(read.capture).to.deep.equal({ x: capture });
      expect(read.comments).to.deep.equal([]);
    });

  it('a text around a part of the response is written where the variable is used', () => {
    const { capture, filled } = reading('const r = pm.response.json(); pm.environment.set("auth", "Bearer " + r.t);');
    expect(capture).to.deep.equal({ auth: '$.t' });
    expect(filled('{{auth}}')).to.equal('Bearer #{auth}');
  });

  it('a constant becomes a variable, unless another value is known', () => {
    const { filled, comments } = reading('pm.environment.set("a", "fixed");', { isAfter: false });
    expect([filled('{{a}}'), comments]).to.deep.equal(['#{a}', []]);
    const variables = new Variables({});
    variables.set('a', 'first');
    const text = 'pm.environment.set("a", "second");';
    expect(readScripts([{ text, isAfter: false }], variables).comments.join()).to.include(text);
  });

  for (const block of ['pm.test("t", () => { B });', 'if (c) { B }', 'try { B } catch {}'])
    it(`a variable in a block hides another one only there: ${block}`, () => {
      const inner = 'const j = pm.response.json().data; pm.environment.set("y", j.id);';
      const text = `const j = pm.response.json(); ${block.replace('B', inner)} pm.environment.set("x", j.id);`;
      expect(captureOf(text)).to.deep.equal({ y: '$.data.id', x: '$.id' });
    });

  it('a constant of some responses, and a function that is not called, set nothing', () => {
    const set = 'pm.environment.set("a", "b")';
    const { filled, comments } = reading(`if (c) ${set}; pm.environment.set; pm.test; pm.expect;`);
    expect(filled('{{a}}')).to.include('env.A');
    expect(comments.join()).to.include(set);
  });

  it('a value that comes from elsewhere is not guessed', () =>
    expect(
      captureOf('pm.environment.set("x", compute() || "a"); pm.environment.set("y", c ? r.a : "b")'),
    ).to.deep.equal({}));

  it('tests of older versions are checks', () =>
    expect(
      reading(
        'tests["ok"] = responseCode.code === 201 && JSON.parse(responseBody).id == 7; tests["t"] = responseTime < 300',
      ).expect,
    ).to.deep.equal({ status: 201, json: { '$.id': 7 }, within: 300 }));

  it('each statement that sets a variable is named, whole, however long the script is', () => {
    const lines = Array.from({ length: 60 }, (_, i) => `run(${i});`);
    const text = `${lines.join('\n')}\nfunction later() {\n  pm.environment.set(\n    "slug",\n    token(1)\n  );\n}\npm.sendRequest("http://x/", (e, r) => { pm.globals.set("other", r.json().a); });`;
    const { comments } = reading(text);
    expect(comments)
      .to.include('pm.environment.set( "slug", token(1) );')
      .and.to.include('pm.globals.set("other", r.json().a);');
    expect(comments.at(-1)).to.match(/^… and \d+ more lines/);
  });

  it('a script that is no JavaScript is a comment', () =>
    expect(reading('pm.environment.set("a", {{b}});').comments.join()).to.include('pm.environment.set("a"'));

  for (const change of [
    'a += "y";',
    'if (c) a = "y";',
    'for (const one of r.items) if (one.ok) a = one.id;',
    'r.items.forEach((one) => { a = one.id; });',
    'for (a of r.items) break;',
    '[a] = r.items.filter(Boolean);',
    'a = compute();',
  ])
    it(`a variable that a statement may change has no known value: ${change}`, () => {
      const { capture, filled, comments } = reading(
        `const r = pm.response.json(); let a = r.id; ${change}\npm.environment.set("x", a);`,
      );
      expect(capture).to.deep.equal({});
      expect(filled('{{x}}')).to.not.equal('#{a}');
      expect(comments.join(' ')).to.include('pm.environment.set("x", a);');
    });

  for (const change of ['r.items.reverse();', 'r.items[0].id = 1;', 'delete r.items[0].id;', 'r.items.shift();'])
    it(`a response that a script changes is not read: ${change}`, () =>
      expect(
        captureOf(`const r = pm.response.json(); ${change} pm.environment.set("x", r.items[0].id);`),
      ).to.deep.equal({}));

  for (const check of ['pm.response.to.have.status(404);', 'tests["a"] = responseCode.code === 404;'])
    it(`an expectation under a condition is no check of all responses: ${check}`, () => {
      for (const text of [`if (c) { ${check} }`, `if (c) {} else { ${check} }`, `c && (${check.slice(0, -1)});`]) {
        const { expect: checks, comments } = reading(text);
        expect(checks).to.deep.equal({});
        expect(comments.join(), text).to.include(check.slice(0, -1));
      }
      expect(reading(`try { ${check} } catch {}`).expect).to.deep.equal({ status: 404 });
    });

  it('a script of all requests captures nothing under a condition, and is named', () =>
    expect(
      reading('if (pm.response.json().t) pm.environment.set("t", pm.response.json().t)', {
        isInherited: true,
      }).comments.join(),
    ).to.include('pm.environment.set("t"'));
});
