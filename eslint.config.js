import { join } from 'node:path';

import circles from './scripts/lint/circles.js';
import commentWidth from './scripts/lint/comment-width.js';
import layers from './scripts/lint/layers.js';
import * as typeFiles from './scripts/lint/type-files.js';

/**
 * The folders of lib that each folder may import. All of them may import the ground: `contracts`, `ground`, `http` and
 * `process`, which import each other and lib/text. docs/internals/architecture.md explains the layers.
 */
const LAYERS = {
  cli: [
    ...['shard', 'capacity', 'run', 'flow', 'report', 'hooks', 'schedule', 'iteration', 'transport', 'measure'],
    ...['record', 'import', 'target', 'profile', 'text'],
  ],
  capacity: ['run', 'report', 'measure', 'text'],
  shard: ['run', 'flow', 'measure', 'text'],
  run: ['flow', 'schedule', 'iteration', 'transport', 'measure', 'profile', 'text'],
  profile: ['text'],
  flow: ['import', 'hooks', 'transport', 'text'],
  import: ['text'],
  record: ['iteration', 'text'],
  report: ['measure', 'profile', 'text'],
  hooks: ['text'],
  schedule: ['text'],
  iteration: ['text'],
  transport: ['text'],
  measure: ['text'],
  target: ['text'],
  text: [],
  contracts: [],
  ground: ['text'],
  http: ['text'],
  process: ['text'],
};

const exits = { object: 'process', property: 'exit', message: 'Only bin and lib/cli/exit-process.js exit.' };
const writes = ['stdout', 'stderr'].map((property) => ({
  object: 'process',
  property,
  message: 'Only lib/cli and lib/report write.',
}));

export default [
  { ignores: ['types/', 'cjs/', 'coverage/', 'bench/node_modules/', 'site/node_modules/', 'site/dist/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    rules: {
      'no-console': 'error',
      'no-undef': 'off',
      'no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      'prefer-const': 'error',
      'no-var': 'error',
      eqeqeq: 'error',
    },
  },
  { files: ['examples/**', 'bench/**', 'scripts/**', 'site/**', 'test/**'], rules: { 'no-console': 'off' } },
  {
    files: ['index.js', 'bin/**', 'lib/**', 'bench/**', 'scripts/**', 'site/**'],
    rules: {
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 15],
    },
  },
  {
    files: ['lib/**'],
    plugins: { house: { rules: { layers, circles, 'comment-width': commentWidth } } },
    rules: {
      'house/circles': 'error',
      'house/comment-width': ['error', 120],
      'house/layers': ['error', join(import.meta.dirname, 'lib'), LAYERS],
      'no-restricted-properties': ['error', exits, ...writes],
    },
  },
  {
    files: ['test/**'],
    ignores: ['test/support/fast-check.js'],
    rules: { 'no-restricted-imports': ['error', { name: 'fast-check', message: 'Use test/support/fast-check.js.' }] },
  },
  {
    files: ['lib/**/*.d.ts'],
    languageOptions: { parser: typeFiles },
  },
  { files: ['lib/cli/**', 'lib/report/**'], rules: { 'no-restricted-properties': ['error', exits] } },
  { files: ['lib/cli/exit-process.js'], rules: { 'no-restricted-properties': 'off' } },
];
