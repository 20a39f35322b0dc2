import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';

import { ROOT } from '../support/command.js';

const run = promisify(execFile);
const TYPES = {
  ConfigMap: 'core/v1',
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  PersistentVolumeClaim: 'core/v1',
  Service: 'core/v1',
};

/** Types of the API of Kubernetes, which refuse unknown and missing fields of literals. */
async function check(documents) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-k8s-'));
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
    const lines = documents.flatMap((document, i) => [
      `import type { ${document.kind} as Type${i} } from 'kubernetes-types/${TYPES[document.kind]}.js';`,
      `export const document${i}: Type${i} = ${JSON.stringify(document)};`,
    ]);
    writeFileSync(join(folder, 'documents.ts'), lines.join('\n'));
    const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['documents.ts'] }));
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]);
    return '';
  } catch ({ stdout }) {
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const documentsOf = (name) =>
  parseAllDocuments(readFileSync(join(ROOT, 'deploy/kubernetes', name), 'utf8')).map((document) => document.toJS());

describe('deploy/kubernetes', () => {
  it('has the fields of the API of Kubernetes', async () => {
    expect(await check(['job.yaml', 'results.yaml', 'merge.yaml', 'agents.yaml'].flatMap(documentsOf))).to.equal('');
  });

  it('the job that runs on agents is one that the command accepts', () => {
    const documents = documentsOf('agents.yaml');
    const job = documents.find(({ kind }) => kind === 'Job');
    const [{ args }] = job.spec.template.spec.containers;
    const agents = documents.find(({ metadata }) => metadata.name === 'bench-rest-agent');
    expect(args[args.indexOf('--agents') + 1]).to.equal(String(agents.spec.replicas));
    const versions = documents.flatMap(({ spec }) => spec?.template?.spec.containers[0].command ?? []);
    const { version, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(versions.filter((word) => word.startsWith('bench-rest@'))).to.deep.equal(
      Array(2).fill(`bench-rest@${version}`),
    );
    for (const name of ['bullmq', 'ioredis']) expect(versions).to.include(`${name}@${peerDependencies[name]}`);
  });

  it('a field that the API does not know would be found', async () => {
    const [, job] = documentsOf('job.yaml');
    job.spec.template.spec.containers[0].commands = [];
    expect(await check([job])).to.include('"commands"');
  });
});
