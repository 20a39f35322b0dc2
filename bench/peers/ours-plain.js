import ours from './ours.js';

/** Our plain GET, the base for our other workloads. */
export default { ...ours, name: 'ours-plain', works: ['plain-get'] };
