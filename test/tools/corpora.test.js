import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { CORPORA, convertAll, fetchCorpus, tableRows } from '../../scripts/corpora.js';
import { ROOT } from '../support/command.js';
import { inFolder } from '../support/in-folder.js';

/** A row of a table without the spaces of its layout. */
const plain = (row) => row.replace(/\s*\|\s*/g, '|');
const DOCS = plain(readFileSync(join(ROOT, 'bench/documents.md'), 'utf8'));

describe('documents that others wrote', () => {
  for (const corpus of CORPORA.filter(({ isLarge }) => !isLarge))
    it(`those of ${corpus.name} are imported as the table says, and their flows load`, () =>
      inFolder(async (folder) => {
        const rows = await convertAll(await fetchCorpus(corpus, folder));
        // an upload alone, whose content is not in the recording, leaves no operation
        const isUpload = ({ operations, disabled }) => operations === 0 && disabled > 0;
        expect(rows.filter((row) => row.problem !== undefined && !isUpload(row))).to.deep.equal([]);
        for (const row of tableRows(corpus, rows)) expect(DOCS).to.include(plain(row));
      }));
});
