import { readFileSync, readdirSync } from 'node:fs';

import { expect } from 'chai';

import { joinAddons, offered, rootsOfAddons } from '../../../lib/core/ground/addons.js';

/** The threads of later tests load it. */
const ROOT = new URL('../../../lib/addons.js', import.meta.url).href;

describe('ground/addons', () => {
  it('offers the rows of a kind in the order in which their add-ons are joined, and nothing for others', () => {
    joinAddons(ROOT, [{ name: 'one', fruits: ['apple'] }, { name: 'two' }]);
    joinAddons(ROOT, [{ name: 'three', fruits: ['pear', 'plum'] }]);
    expect(offered('fruits')).to.deep.equal(['apple', 'pear', 'plum']);
    expect(offered('stones')).to.deep.equal([]);
    expect(rootsOfAddons()).to.include(ROOT).and.have.lengthOf(new Set(rootsOfAddons()).size);
  });

  it('marks the rows of an experimental add-on in the text that people read', () => {
    const load = () => {};
    joinAddons(ROOT, [{ isExperimental: true, nuts: [{ name: 'hazel', about: 'a nut' }, { load }, 'acorn'] }]);
    const isExperimental = true;
    expect(offered('nuts')).to.deep.equal([
      { name: 'hazel', about: 'a nut (experimental)', isExperimental },
      { load, isExperimental },
      'acorn',
    ]);
  });

  it('refuses an add-on that comes after the table of its rows', () => {
    offered('trees');
    expect(() => joinAddons(ROOT, [{ name: 'late', trees: ['oak'] }])).to.throw(
      'an add-on offers trees too late: join it before the core is loaded',
    );
  });

  it('has the kinds of rows that the page about add-ons lists', () => {
    const [page, types] = ['docs/internals/add-ons.md', 'lib/core/addon.d.ts'].map((path) =>
      readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'),
    );
    const listed = [...page.matchAll(/^- `(\w+)`: /gm)].map(([, kind]) => kind);
    const kinds = [...types.matchAll(/^ {2}(\w+)\?: .*\[\];$/gm)].map(([, kind]) => kind);
    expect(listed).to.have.members(kinds);
  });

  it('is given every add-on that has facts, by its own name', async () => {
    const folder = new URL('../../../lib/addons/', import.meta.url);
    const joined = (await import(ROOT)).ADDONS;
    for (const { name } of readdirSync(folder, { withFileTypes: true })) {
      const facts = await import(new URL(`${name}/addon.js`, folder)).catch(({ code }) => code);
      if (facts === 'ERR_MODULE_NOT_FOUND') continue;
      expect(facts.default.name).to.equal(name);
      expect(joined.map((one) => one.name)).to.include(name);
    }
  });
});
