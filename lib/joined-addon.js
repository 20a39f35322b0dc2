import { joinPath, pathInRoot } from './core/ground/join-addon.js';

/** Joins an add-on of another package in this thread: its URL has the path of the add-on. */
await joinPath(pathInRoot(import.meta.url));
