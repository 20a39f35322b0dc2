import { expect } from 'chai';

import { sharedVariable } from '../../../../lib/core/run/workers/shared-variables.js';

let token = '';
let environment = {};
const state = { id: '' };
const list = [];
const MODULE = `let token, environment; export const state = {}; const list = []; const flow = { main: [{ json: list }] };`;

const before = (...code) => [{ get: '/', afterHooks: code }];
const found = (flow) => {
  const { name, changedBy, readBy } = sharedVariable(flow, () => MODULE) ?? {};
  return name && [name, changedBy, readBy].join(' ');
};

describe('run/workers/shared-variables', () => {
  for (const [how, change] of [
    ['is set', () => (token = 'a')],
    ['is counted', () => void token++],
    ['is taken out of an object', (all) => ({ token } = all.body)],
    ['is set in a nested function', () => [1].forEach(() => (token = 'b'))],
  ])
    it(`finds a variable that ${how} in before and read in main`, () =>
      expect(found({ before: before(change), main: [{ get: () => token }] })).to.equal(
        'token flow.before[0].afterHooks[0] flow.main[0].get',
      ));

  for (const [how, change] of [
    ['has a new member', () => (state.id = 'a')],
    ['lost a member', () => delete state.id],
    ['was merged', (all) => Object.assign(state, all.body)],
    ['has a method that changes it', () => state.clear()],
  ])
    it(`finds an object of functions alone that ${how}`, () =>
      expect(found({ before: change, main: [{ headers: { x: () => state.id } }] })).to.equal(
        'state flow.before flow.main[0].headers.x',
      ));

  it('finds what iterations change and after reads', () =>
    expect(found({ main: [{ get: '/', afterHooks: [() => (token = 'a')] }], after: () => token })).to.equal(
      'token flow.main[0].afterHooks[0] flow.after',
    ));

  it('tells variables of the environment from each other', () => {
    const flow = (read) => ({ before: before(() => (process.env.OF_FLOW = 'a')), main: [{ get: read }] });
    expect(found(flow(() => process.env.OF_FLOW))).to.match(/^process\.env\.OF_FLOW /);
    expect(found(flow(() => process.env.HOME))).to.equal(undefined);
  });

  it('leaves objects of the flow, own names, members, and what is compared later', () => {
    const flows = [
      { before: before(() => list.push(1)), main: [{ get: () => list[0] }] },
      { before: before((all) => (all.token = 1)), main: [{ get: () => token }] },
      { before: before(() => (token = 'a')), main: [{ get: () => ({ token: 1 }).token }] },
      { before: before(({ body: { token: own } }) => void own), main: [{ get: (own) => own }] },
      {
        before: before(() => (environment = {})),
        main: [
          {
            json: {
              get x() {
                return environment;
              },
              toJSON: () => environment,
            },
          },
        ],
      },
      { before: before(Math.max), main: [{ get: Math.min }] },
      { before: before(() => (token = 'a')), main: [{ get: '/token' }] },
    ];
    expect(flows.map(found)).to.deep.equal(flows.map(() => undefined));
  });
});
