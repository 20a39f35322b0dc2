import ours from './ours.js';

/** Our plain GET, to set our other works beside. */
export default { ...ours, name: 'ours-plain', works: ['plain-get'] };
