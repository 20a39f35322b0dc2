/** Imports point down: what a folder of lib may not know. @type {Record<string, string[]>} */
const FORBIDDEN = {
  flow: ['run', 'iteration', 'transport', 'schedule', 'measure', 'report', 'target', 'cli'],
  schedule: ['run', 'flow', 'iteration', 'transport', 'measure', 'report', 'target', 'cli', 'hooks'],
  iteration: ['run', 'flow', 'schedule', 'transport', 'measure', 'report', 'target', 'cli', 'hooks'],
  transport: ['run', 'flow', 'schedule', 'iteration', 'measure', 'report', 'target', 'cli', 'hooks'],
  measure: ['run', 'flow', 'schedule', 'iteration', 'transport', 'report', 'target', 'cli', 'hooks'],
  report: ['run', 'flow', 'schedule', 'iteration', 'transport', 'measure', 'target', 'cli', 'hooks'],
  hooks: ['run', 'flow', 'schedule', 'iteration', 'transport', 'measure', 'report', 'target', 'cli'],
  target: ['run', 'flow', 'schedule', 'iteration', 'transport', 'measure', 'report', 'cli', 'hooks'],
  run: ['report', 'target', 'cli'],
};

export default [
  { ignores: ['types/', 'bench/node_modules/'] },
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
  { files: ['examples/**', 'bench/**', 'test/**'], rules: { 'no-console': 'off' } },
  ...Object.entries(FORBIDDEN).map(([folder, others]) => ({
    files: [`lib/${folder}/**/*.js`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: others.map((other) => ({
            group: [`**/${other}/**`, `../${other}/*`],
            message: `${folder} does not know ${other}`,
          })),
        },
      ],
      'no-restricted-properties': ['error', { object: 'process', property: 'exit', message: 'only bin exits' }],
    },
  })),
];
