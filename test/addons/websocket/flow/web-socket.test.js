import { expect } from 'chai';

import { bytesOf, containing, matching } from '../../../../lib/addons/websocket/flow/requests.js';
import { compiledFlow } from '../../../support/compiled-flow.js';

const URL = 'ws://h/chat';

const problemsOf = (flow, options) => {
  try {
    compiledFlow(flow, options);
    return '';
  } catch (error) {
    return error.message;
  }
};

const kindsOf = (steps) => steps.map(({ name }) => /^ws (\w+)/.exec(name)?.[1] ?? 'request').join();

describe('operations of WebSockets', () => {
  const wrong = [
    [{ get: URL }, 'flow.main[0].get: "ws://h/chat" is the URL of a WebSocket: write { ws: "ws://h/chat" }'],
    [{ method: 'POST', uri: URL }, 'flow.main[0].uri: "ws://h/chat" is the URL of a WebSocket'],
    [{ ws: 'http://h/chat' }, 'flow.main[0].ws: "http://h/chat" is not a ws:// or wss:// URL'],
    [{ ws: 'wsss://h/chat' }, 'is not a ws:// or wss:// URL, did you mean wss:?'],
    [{ ws: 'localhost:80/chat' }, 'has no scheme, did you mean ws://localhost:80/chat?'],
    [{ ws: '/chat' }, 'flow.main[0].ws: "/chat" is relative: set baseUrl'],
    [{ ws: 5 }, 'flow.main[0].ws: expected a string, got 5'],
    [{ get: 'http://h/', send: 'x' }, "flow.main[0].send: is for WebSockets: write { ws: 'ws://…', send }"],
    [{ get: 'http://h/', close: true }, 'flow.main[0].close: is for WebSockets'],
    [{ get: 'http://h/', ws: URL }, 'flow.main[0]: has get and ws: one operation is one request'],
    [{ ws: URL, method: 'POST' }, 'flow.main[0]: has ws and method: one operation is one request'],
    [{ ws: URL, body: 'x' }, 'flow.main[0].body: has no meaning for a WebSocket: remove it, and use send'],
    [{ ws: URL, maxRedirects: 2 }, 'flow.main[0].maxRedirects: has no meaning for a WebSocket: remove it'],
    [{ ws: URL, send: 5 }, 'flow.main[0].send: expected a text, { json: value }, a Buffer, or a list of them, got 5'],
    [{ ws: () => URL, send: 'a' }, 'flow.main[0].ws: cannot be a function, as all operations of a connection'],
    [{ get: 'http://h/', send: () => 'x' }, 'flow.main[0].send: is for WebSockets'],
    [
      { get: 'http://h/', expect: 'x' },
      'flow.main[0].expect: expected an object such as { status: 201 }, or a list of them, got a string',
    ],
    [{ ws: URL, send: 'a', receive: { body: 'x' } }, 'flow.main[0].receive: expected a number of messages'],
    [
      { ws: URL, send: 'a', expect: { status: 101 } },
      'flow.main[0].expect: is for responses of HTTP: the messages to wait for are receive',
    ],
    [{ ws: URL, keepAlive: false }, 'flow.main[0].keepAlive: has no meaning for a WebSocket: remove it'],
    [
      [{ ws: URL }, { ws: URL, send: 'a', cookies: { a: 'b' }, minVersion: 1.3 }],
      'flow.main[1].minVersion: has no effect: flow.main[0] has opened this WebSocket',
    ],
    [{ ws: URL, send: { jsno: 1 } }, 'flow.main[0].send: expected a text'],
    [{ ws: URL, send: [] }, 'flow.main[0].send: expected a text'],
    [{ ws: URL, send: { json: 5n } }, 'flow.main[0].send: json: a BigInt has no JSON form: write a number, or a text'],
    [{ ws: URL, receive: ['a', /(?=a)/] }, 'flow.main[0].receive[1]: the pattern has a lookahead'],
    [{ ws: URL, receive: /#{INDEX}/ }, 'flow.main[0].receive: a regular expression cannot have tokens'],
    [{ ws: URL, send: '#{INDXE}' }, 'flow.main[0].send: #{INDXE} (column 1) is not a token. Did you mean #{INDEX}?'],
    [{ ws: URL, receive: -1 }, 'flow.main[0].receive: expected a number of messages'],
    [{ ws: URL, receive: 1e9 }, 'flow.main[0].receive: expected a number of messages up to 100000'],
    [{ ws: URL, receive: true }, 'flow.main[0].receive: expected a number of messages'],
    [{ ws: URL, receive: 0 }, 'flow.main[0].receive: is 0, and nothing is sent: add send, or remove it'],
    [{ ws: URL, close: 1006 }, 'flow.main[0].close: expected true, the code 1000 or one from 3000 to 4999'],
    [{ ws: URL, close: { cod: 1000 } }, 'flow.main[0].close: expected true'],
    [{ ws: URL, close: { reason: 'x'.repeat(124) } }, 'with a reason of at most 123 bytes'],
    [{ ws: URL, protocols: ['a', 'a'] }, 'flow.main[0].protocols: expected the name of a subprotocol'],
    [{ ws: URL, protocols: 'a b' }, 'flow.main[0].protocols: expected the name of a subprotocol'],
    [{ ws: URL, tunnel: true }, 'flow.main[0].tunnel: has no meaning for a WebSocket'],
    [{ ws: URL, headers: { Upgrade: 'x' } }, 'flow.main[0].headers.Upgrade: cannot be set'],
    [
      { ws: URL, headers: { 'Sec-WebSocket-Protocol': 'x' } },
      'headers.Sec-WebSocket-Protocol: cannot be set: it belongs to the handshake',
    ],
    [
      [{ ws: URL, send: 'a' }, { ws: URL }],
      'flow.main[1].ws: flow.main[0] has opened this WebSocket: add send, receive or close',
    ],
    [
      [{ ws: URL }, { ws: URL, send: 'a', headers: { a: 'b' } }],
      'flow.main[1].headers: has no effect: flow.main[0] has opened this WebSocket',
    ],
    [
      { main: ['http://h/'], afterMain: [{ ws: URL, close: true }] },
      'flow.afterMain[0].close: no earlier operation opens this WebSocket',
    ],
    [{ before: [{ ws: URL, send: '#{INDEX:number}' }], main: ['http://h/'] }, 'flow.before[0].send: before runs once'],
  ];
  for (const [flow, message] of wrong) {
    it(`refuses: ${message}`, () => expect(problemsOf(flow)).to.include(message));
  }

  it('reports each problem once', () => {
    expect(problemsOf([{ ws: '/chat', send: 'a', close: true }]).match(/is relative/g)).to.have.lengthOf(1);
    expect(problemsOf([{ ws: URL, sned: 'a' }]).match(/sned/g)).to.have.lengthOf(1);
  });

  const steps = [
    ['a URL alone', URL, 'connect,message'],
    ['a handshake', { ws: URL }, 'connect'],
    ['everything in one operation', { ws: URL, send: 'a', close: true }, 'connect,message,close'],
    [
      'a connection that is used again',
      [{ ws: URL }, { ws: URL, send: 'a' }, { ws: URL, close: 1000 }],
      'connect,message,close',
    ],
    [
      'two connections',
      [
        { ws: URL, send: 'a' },
        { ws: 'ws://h/other', receive: 1 },
      ],
      'connect,message,connect,message',
    ],
    [
      'a connection after a close',
      [
        { ws: URL, close: true },
        { ws: URL, send: 'a' },
      ],
      'connect,close,connect,message',
    ],
    ['a mixture', ['http://h/', { ws: URL, send: 'a' }], 'request,connect,message'],
  ];
  for (const [what, flow, kinds] of steps) {
    it(`the steps of ${what} are ${kinds}`, () => expect(kindsOf(compiledFlow(flow).main)).to.equal(kinds));
  }

  it('names each step, the one with the hooks by name', () => {
    const { main } = compiledFlow([{ ws: `${URL}?token=secret`, name: 'greet', send: 'a', close: true }]);
    expect(main.map(({ name }) => name)).to.deep.equal([
      'ws connect /chat?token=***',
      'greet',
      'ws close /chat?token=***',
    ]);
  });

  it('a request without tokens is the same for all iterations', () => {
    const { main } = compiledFlow([{ ws: URL, send: ['a', { json: { b: 1 } }], receive: 'c' }]);
    expect(main.every(({ request }) => request !== null)).to.equal(true);
    expect(main[1].request.task.messages).to.deep.equal(['a', '{"b":1}']);
  });

  it('the pause of an operation is after its last step alone, also after a hook changed another step', () => {
    const changed = (operation, change) => {
      const step = compiledFlow({ ws: URL, pause: 50, beforeHooks: [() => {}], ...operation }).main.at(-2);
      const scope = { index: 0 };
      const shown = { authorization: undefined, isReplaced: false };
      return step.renderOptions({ ...step.options(scope), ...change }, scope, shown).rules?.pauseMs;
    };
    expect(changed({ send: 'a', close: true }, { send: 'b' })).to.equal(null);
    expect(changed({ close: true }, { qs: { a: 1 } })).to.equal(null);
    expect(() => changed({ send: 'a', close: true }, { pause: 5 })).to.throw('pause cannot be changed by a hook here');
  });

  it('tokens are replaced in URLs and messages', () => {
    const { main } = compiledFlow([{ ws: 'ws://h/#{INDEX}', send: ['a', { json: { b: '#{INDEX}' } }] }]);
    expect(main[0].render({ index: 7 }).path).to.equal('/7');
    expect(main[1].render({ index: 7 }).task.messages).to.deep.equal(['a', '{"b":"7"}']);
  });

  it('a base URL of HTTP serves WebSockets, and one of WebSockets serves HTTP', () => {
    const [{ origin }] = compiledFlow({ ws: '/chat' }, { baseUrl: 'https://h' }).main;
    expect(origin).to.equal('wss://h');
    expect(compiledFlow({ get: '/chat' }, { baseUrl: 'ws://h' }).main[0].origin).to.equal('http://h');
  });
});

describe('the comparison of messages', () => {
  const rows = [
    ['the same text', bytesOf('a'), 'a', null],
    ['other text', bytesOf('a'), 'b', 'expected "a", got "b"'],
    ['text that matches', matching(/^a/g), 'abc', null],
    ['text that does not match', matching(/^a/), 'b', 'expected one that matches /^a/, got "b"'],
    ['JSON with more properties', containing('{"a":{"b":1}}'), '{"a":{"b":1,"c":2},"d":3}', null],
    ['the number zero in another spelling', containing('{"a":0}'), '{"a":-0}', null],
    ['JSON with another value', containing('{"a":{"b":1}}'), '{"a":{"b":2}}', 'which differs at a.b'],
    ['JSON without a property', containing('{"a":1}'), '{}', 'which differs at a'],
    ['an array of another length', containing('{"a":[1]}'), '{"a":[1,2]}', 'which differs at a'],
    ['an inherited property', containing('{"toString":1}'), '{}', 'which differs at toString'],
    ['no JSON', containing('1'), 'x', 'expected JSON, got "x"'],
  ];
  for (const [what, refuse, text, reason] of rows) {
    it(`${what} is ${reason === null ? 'expected' : 'refused'}`, () => {
      const got = refuse(Buffer.from(text), false);
      if (reason === null) expect(got).to.equal(null);
      else expect(got).to.include(reason);
    });
  }

  it('a regular expression with state gives the same answer each time', () => {
    const refuse = matching(/a/g);
    expect([1, 2, 3].map(() => refuse(Buffer.from('a'), false))).to.deep.equal([null, null, null]);
  });
});
