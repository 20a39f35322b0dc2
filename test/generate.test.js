import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { ROOT, saidBy } from './support/command.js';
import { IS_FULL } from './support/scale.js';

const schema = JSON.parse(readFileSync(join(ROOT, 'flow.schema.json'), 'utf8'));

describe('npm run generate', () => {
  // `npm run lint` checks it too
  if (IS_FULL) {
    it('has been run since the tables changed', async () => {
      const { code, stderr } = await saidBy(process.execPath, [join(ROOT, 'scripts/generate.js'), '--check']);
      expect([code, stderr]).to.deep.equal([0, '']);
    });
  }

  it('describes every property of flow.schema.json', () => {
    const missing = [];
    const walk = (node, path) => {
      if (typeof node !== 'object' || node === null) return;
      for (const [name, property] of Object.entries(node.properties ?? {}))
        if (!property.description) missing.push(`${path}.${name}`);
      for (const [key, value] of Object.entries(node)) walk(value, `${path}.${key}`);
    };
    walk(schema, 'schema');
    expect(missing).to.deep.equal([]);
  });

  it('gives every run option with a default its default in flow.schema.json, but those that only people decide on', () => {
    for (const { name, schema: own, default: value, commandDefault = value, reaches } of RUN_OPTIONS)
      if (reaches !== undefined) expect(schema.$defs.runOptions.properties, name).to.not.have.property(name);
      else if (own !== null)
        expect(schema.$defs.runOptions.properties[name].default, name).to.deep.equal(commandDefault);
  });

  it('keeps help texts short, lower case and without a full stop', () => {
    for (const { name, about } of RUN_OPTIONS) {
      expect(about, name)
        .to.match(/^([a-z]|TLS|HTTP)/)
        .and.not.match(/\.$/);
      expect(about.replace(' (experimental)', '').length, name).to.be.below(125);
    }
  });
});
