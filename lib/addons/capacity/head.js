import { headOfDocuments } from '../../core/measure/document.js';

/** The first keys of the result of a search for the capacity. */
export const CAPACITY_HEAD = headOfDocuments('capacity');
