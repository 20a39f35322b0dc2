import { expect } from 'chai';

import { createPlaces } from '../../../lib/flow/places.js';
import { createProblems } from '../../../lib/ground/problems.js';

const placesOf = (flow = {}) =>
  createPlaces(
    { tokens: {}, vars: {}, scenarios: SCENARIOS, ...flow, phases: { ...flow.phases } },
    { seed: 1, problems: createProblems('E_FLOW') },
  );

const [BROWSE, BUY] = ['browse', 'buy'].map((name, at) => ({ name, at, where: `flow.scenarios.${name}` }));
const SCENARIOS = [
  { where: 'flow.scenarios.browse', phases: { main: [{ capture: { page: '$' } }] } },
  { where: 'flow.scenarios.buy', phases: { main: [{ capture: { order: '$' } }] } },
];
const isKnown = ({ names }, name) => names.find(name) !== undefined;

describe('places of a flow', () => {
  it('the phases of an iteration share what they capture and open; before and after have their own', () => {
    const placeOf = placesOf({ vars: { token: 1 } });
    expect(isKnown(placeOf('before', null), 'token')).to.equal(true);
    placeOf('beforeMain', null).names.add(['id']);
    placeOf('beforeMain', null).opened.set('ws x', 'flow.beforeMain[0]');
    const afterMain = placeOf('afterMain', null);
    expect([isKnown(afterMain, 'id'), afterMain.opened.size]).to.deep.equal([true, 1]);
    const after = placeOf('after', null);
    expect([isKnown(after, 'id'), after.opened.size]).to.deep.equal([false, 0]);
    expect(after.opened).to.equal(placeOf('before', null).opened);
    expect(after.names.refuse('INDEX')).to.equal('after runs once and has no #{INDEX}: use afterMain');
  });

  it('scenarios know what beforeMain of the flow has, and nothing of each other', () => {
    const placeOf = placesOf();
    placeOf('beforeMain', null).names.add(['user']);
    placeOf('beforeMain', BROWSE).names.add(['page']);
    placeOf('beforeMain', BROWSE).opened.set('ws x', 'flow.scenarios.browse.beforeMain[0]');
    const names = ['user', 'page'];
    expect(names.map((name) => isKnown(placeOf('main', BROWSE), name))).to.deep.equal([true, true]);
    expect(names.map((name) => isKnown(placeOf('main', BUY), name))).to.deep.equal([true, false]);
    expect([placeOf('main', BROWSE), placeOf('main', BUY)].map(({ opened }) => opened.size)).to.deep.equal([1, 0]);
    expect(isKnown(placeOf('afterMain', null), 'page')).to.equal(true);
  });

  it('captures of before are known in all later phases', () => {
    const placeOf = placesOf({ phases: { before: [{ capture: { token: '$' } }], main: [{ capture: { id: '$' } }] } });
    const places = [placeOf('before', null), placeOf('beforeMain', null), placeOf('main', BUY), placeOf('after', null)];
    expect(places.map((place) => isKnown(place, 'token'))).to.deep.equal([false, true, true, true]);
    expect(places[0].names.explain('token')).to.include('captured later, by flow.before[0].capture.token');
    expect(places[1].names.explain('id')).to.include('captured later, by flow.main[0].capture.id');
  });

  it('a message says that an operation captures a name itself, and what to declare', () => {
    const placeOf = placesOf({ phases: { main: [{ get: '/', capture: { next: '$' } }, '/'] } });
    const { names } = placeOf('main', null);
    expect(names.explain('next', 'flow.main[0].get')).to.include('declare a first one, vars: { next: … }');
    expect(names.explain('next', 'flow.main[0]')).to.include('declare a first one');
    expect(names.explain('next', 'flow.main[01].get')).to.include('captured later, by');
  });

  it('a message says why a name has no value: it is captured later, in another scenario, or in each iteration', () => {
    const placeOf = placesOf();
    const explain = (phase, scenario, name) => placeOf(phase, scenario).names.explain(name);
    expect(explain('main', BUY, 'page')).to.equal(
      'has no value here: it is captured in another scenario, by flow.scenarios.browse.main[0].capture.page',
    );
    expect(explain('main', BUY, 'order')).to.include('captured later, by flow.scenarios.buy.main[0].capture.order');
    expect(explain('beforeMain', null, 'page')).to.include('captured later, by');
    expect(explain('after', null, 'pages')).to.equal(
      'is not a token. Did you mean #{page}? It is captured in each iteration, by flow.scenarios.browse.main[0].capture.page: use afterMain',
    );
  });

  it('a capture with the name of a token of the flow is reported', () => {
    const problems = createProblems('E_FLOW');
    const scenarios = [{ where: 'flow.scenarios.buy', phases: { main: [{ capture: { id: '$' } }] } }];
    createPlaces({ tokens: { id: () => 1 }, vars: {}, phases: {}, scenarios }, { seed: 1, problems });
    expect(problems.list).to.deep.equal([
      { path: 'flow.scenarios.buy.main[0].capture.id', reason: 'is the name of flow.tokens.id, too: rename one' },
    ]);
  });
});
