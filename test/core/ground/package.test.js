import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { docUrl, schemaUrl } from '../../../lib/core/ground/package.js';
import { ROOT } from '../../support/command.js';

const textOf = (path) => readFileSync(join(ROOT, path), 'utf8');
const { name: packageName, version, files, exports, repository } = JSON.parse(textOf('package.json'));

describe('schemaUrl', () => {
  for (const name of ['flow', 'result', 'comparison', 'capacity', 'history'].map((one) => `${one}.schema.json`)) {
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
      .filter((path) => /\.(md|ya?ml|json)$/.test(path) && !path.endsWith('stability.json'))
      .flatMap((path) => [...textOf(path).matchAll(/yaml-language-server: \$schema=([^\s`]+)|"\$schema": "([^"]+)"/g)])
      .map(([, inYaml, inJson]) => inYaml ?? inJson);
    expect(lines).to.have.lengthOf.at.least(1);
    const urls = ['flow.schema.json', 'result.schema.json'].map(schemaUrl);
    expect([...new Set(lines)]).to.have.members(urls);
  });
});

describe('docUrl', () => {
  const COMMENT = /\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*$/gm;
  const sources = readdirSync(join(ROOT, 'lib'), { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, text: textOf(join('lib', name)).replace(COMMENT, '') }));

  it('is the address of a document in the repository of the package, for its major version', () => {
    const base = repository.url.replace(/^git\+|\.git$/g, '');
    expect(docUrl('guide/flows.md')).to.equal(`${base}/blob/v${version.split('.')[0]}/docs/guide/flows.md`);
  });

  it('is how messages name documents, of which the package ships the guide alone', () => {
    expect(files.filter((path) => path.startsWith('docs'))).to.deep.equal(['docs/guide']);
    const naming = sources.filter(({ text }) => /\bdocs\/\w/.test(text)).map(({ name }) => name);
    expect(naming).to.deep.equal(['core/cli/guide.js']);
  });

  it('names documents and headings that exist', () => {
    const named = sources.flatMap(({ text }) => [...text.matchAll(/\bdocUrl\('([^'#]+)(?:#([^']+))?'\)/g)]);
    for (const [, path, anchor] of named) {
      const headings = [...textOf(join('docs', path)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
        heading
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      if (anchor !== undefined) expect(headings, path).to.include(anchor);
      else expect(headings, path).not.to.deep.equal([]);
    }
  });
});
