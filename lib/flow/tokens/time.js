/** @import { TokenEntry } from './types.js' */

/** The time when an operation is performed. @type {(entry: Pick<TokenEntry, 'name' | 'about'>, read: () => unknown) => TokenEntry} */
const time = (entry, read) => ({
  ...entry,
  value({ member, argument }, { refuse }) {
    if (member !== undefined || argument !== undefined) refuse('takes no argument');
    return read;
  },
});

export const TIME = [
  time({ name: 'now', about: 'the time in milliseconds since 1970' }, () => Date.now()),
  time({ name: 'timestamp', about: 'the time in whole seconds since 1970' }, () => Math.floor(Date.now() / 1000)),
  time({ name: 'isoDate', about: 'the time in UTC, such as 2026-01-31T12:00:00.000Z' }, () => new Date().toISOString()),
];
