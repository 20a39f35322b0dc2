import { expect } from 'chai';

import { controlOf } from '../../../lib/core/flow/control.js';
import { Names } from '../../../lib/core/flow/names.js';

describe('flow/names', () => {
  const captured = new Map([['id', 'flow.main[1].capture.id']]);
  const names = new Names({ tokens: { user: () => 'ann' }, vars: { region: 'eu' }, captured });
  const readAs = (name, use = {}, from = names) => {
    const said = [];
    const meaning = from.find(name)?.read({ name, ...use }, (reason) => said.push(reason), 'flow.main[0]');
    return said.length > 0 ? said.join() : meaning?.kind;
  };

  for (const [name, kind] of [
    ['INDEX', 'text'],
    ['user', 'value'],
    ['region', 'variable'],
    ['id', undefined],
    ['toString', undefined],
    ['__proto__', undefined],
  ])
    it(`${name} is ${kind ?? 'no name'}`, () => expect(readAs(name)).to.equal(kind));

  for (const name of ['user', 'region', 'INDEX'])
    it(`${name} takes no argument`, () => expect(readAs(name, { argument: '1' })).to.match(/^takes no argument/));

  for (const [name, reason] of [
    ['usr', 'is not a token. Did you mean #{user}?'],
    ['id', 'has no value here: it is captured later, by flow.main[1].capture.id'],
    ['idd', 'is not a token. Did you mean #{id}? It is captured later, by flow.main[1].capture.id'],
  ])
    it(`${name} ${reason}`, () => expect(names.explain(name)).to.equal(reason));

  it('a condition reads no feeder in before, which runs once', () => {
    const feeders = {
      all: () => [{ name: 'users', table: { columns: ['id'] }, refuse() {}, reader: () => () => 1 }],
      broken: [],
    };
    const once = new Names({ feeders }).fork({ once: 'before' });
    const said = [];
    controlOf({ when: { 'users.id': 1 } }, { names: once, where: 'op', complain: (key, reason) => said.push(reason) });
    expect(said).to.deep.equal(['before runs once and has no #{users}: use beforeMain']);
  });

  it('the message advises to declare a variable that hooks or functions may set', () => {
    expect(new Names({ hasCode: true }).explain('something')).to.match(
      /\. If a hook or a function sets it, declare it: vars: \{ something: null \}$/,
    );
  });

  it('the message about a name like no other lists tokens, those of the flow first, and advises to capture it', () =>
    expect(names.explain('something')).to.match(
      /^is not a token\. Tokens are #\{user\}, #\{region\}, #\{INDEX\}, #\{VU\}, #\{ROUND\}, #\{WORKER\}, #\{SHARD\}, #\{args\}, #\{env\}, .*\. An operation before it can capture it: capture: \{ something: '\$\.something' \}$/,
    ));

  it('a message lists the first names of many', () => {
    const vars = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`name${i}`, i]));
    expect(new Names({ vars }).explain('other')).to.match(/(#\{\w+\}, ){12}…\. An operation/);
  });

  it('names that are added are known from then on, in that copy alone', () => {
    const copy = names.fork();
    copy.add(['id']);
    expect([readAs('id', {}, copy), readAs('id')]).to.deep.equal(['variable', undefined]);
    expect([copy.isElsewhere('id'), names.isElsewhere('id'), names.isElsewhere('user')]).to.deep.equal([
      false,
      true,
      false,
    ]);
  });

  it('a phase that runs once has no INDEX', () => {
    const once = names.fork({ once: 'before' });
    expect(once.refuse('INDEX')).to.equal('before runs once and has no #{INDEX}: use beforeMain');
    expect([once.isElsewhere('INDEX'), once.refuse('user'), names.refuse('INDEX')]).to.deep.equal([
      true,
      undefined,
      undefined,
    ]);
  });
});
