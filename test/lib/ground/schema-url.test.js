import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { schemaUrl } from '../../../lib/ground/package.js';
import { ROOT } from '../../support/command.js';

const textOf = (path) => readFileSync(join(ROOT, path), 'utf8');
const { name: packageName, version, files, exports } = JSON.parse(textOf('package.json'));

describe('schemaUrl', () => {
  for (const name of ['flow.schema.json', 'result.schema.json']) {
    it(`is the $id of ${name}, which the package publishes under this address`, () => {
      const [, published, major, path] = /^https:\/\/unpkg\.com\/(.+)@(\d+)\/(.+)$/.exec(schemaUrl(name));
      expect([published, major, path]).to.deep.equal([packageName, version.split('.')[0], name]);
      expect(JSON.parse(textOf(name)).$id).to.equal(schemaUrl(name));
      expect(files).to.include(name);
      expect(exports[`./${name}`]).to.equal(`./${name}`);
    });
  }

  it('is what the documents and examples name', () => {
    const folders = ['docs', 'examples'];
    const paths = folders.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, name)),
    );
    const lines = paths
      .filter((path) => /\.(md|ya?ml|json)$/.test(path))
      .flatMap((path) => [...textOf(path).matchAll(/yaml-language-server: \$schema=([^\s`]+)|"\$schema": "([^"]+)"/g)])
      .map(([, inYaml, inJson]) => inYaml ?? inJson);
    expect(lines).to.have.lengthOf.at.least(3);
    expect([...new Set(lines)]).to.deep.equal([schemaUrl('flow.schema.json')]);
  });
});
