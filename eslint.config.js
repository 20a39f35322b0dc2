import { join } from 'node:path';

import circles from './scripts/lint/circles.js';
import commentWidth from './scripts/lint/comment-width.js';
import layers from './scripts/lint/layers.js';
import { ADDONS as FACTS } from './lib/addons.js';
import * as typeFiles from './scripts/lint/type-files.js';

/**
 * The folders of lib/core that each of them may import. All of them may import the ground: `contracts`, `ground`, `http`
 * and `process`, which import each other and lib/core/text. docs/internals/architecture.md explains the layers.
 */
const LAYERS = {
  // the door of add-ons
  'addon.d.ts': ['cli', 'run', 'flow', 'report', 'iteration', 'transport', 'measure'],
  cli: ['run', 'flow', 'report', 'hooks', 'schedule', 'iteration', 'transport', 'measure', 'text'],
  run: ['flow', 'schedule', 'iteration', 'transport', 'measure', 'text'],
  flow: ['hooks', 'transport', 'text'],
  report: ['measure', 'text'],
  hooks: ['text'],
  schedule: ['text'],
  iteration: ['text'],
  transport: ['text'],
  measure: ['text'],
  text: [],
  contracts: [],
  ground: ['text'],
  http: ['text'],
  process: ['text'],
};

/** The add-ons, each with those that it needs, which it may import beside the core. */
const ADDONS = Object.fromEntries(FACTS.map(({ name, needs = [] }) => [name, needs]));

const exits = { object: 'process', property: 'exit', message: 'Only bin and lib/core/cli/exit-process.js exit.' };
const writes = ['stdout', 'stderr'].map((property) => ({
  object: 'process',
  property,
  message: 'Only lib/core/cli, lib/core/report and add-ons write.',
}));

export default [
  { ignores: ['types/', 'cjs/', 'package/', 'coverage/', 'bench/node_modules/', 'site/node_modules/', 'site/dist/'] },
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
    // the compiler checks lib
    files: ['bench/**/*.js', 'scripts/**/*.js'],
    ignores: ['bench/**/*-k6.js'],
    languageOptions: {
      globals: Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, false])),
    },
    rules: { 'no-undef': 'error' },
  },
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
      'house/layers': ['error', join(import.meta.dirname, 'lib'), LAYERS, ADDONS],
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
  {
    files: ['lib/core/cli/**', 'lib/core/report/**', 'lib/addons/**', 'lib/results.js'],
    rules: { 'no-restricted-properties': ['error', exits] },
  },
  // written by scripts/addons.js
  { files: ['lib/addons.js', 'lib/addons-of-command.js'], rules: { 'no-unused-vars': 'off' } },
  // The second is a process of its own.
  {
    files: ['lib/core/cli/exit-process.js', 'lib/addons/server/serve-application.js'],
    rules: { 'no-restricted-properties': 'off' },
  },
];
