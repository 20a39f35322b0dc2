import { headOfDocuments } from '../../../core/measure/document.js';

/** The first keys of a comparison. */
export const COMPARISON_HEAD = headOfDocuments('comparison');
