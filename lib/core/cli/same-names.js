import { REPORTERS } from '../report/formats/index.js';
import { DISPLAYS } from '../report/live/index.js';
import { RUN_OPTIONS } from '../run/options/index.js';
import { flagsOf } from '../run/options/row.js';
import { ofRow, optionsOf, refuseSameNames } from '../run/same-names.js';
import { COMMANDS } from './commands/index.js';
import { COMPANION_FLAGS } from './flags/companions.js';

/** Refuses add-ons of other packages that have a name of the command, or of a run. @throws {Error} E_ADDON */
export function refuseNamesOfCommand() {
  refuseSameNames([
    {
      what: 'flag',
      all: () => [...RUN_OPTIONS, ...COMPANION_FLAGS].flatMap(flagsOf),
      of: ({ companions = [], ...facts }) =>
        [...optionsOf(facts), ...companions.flatMap((/** @type {any} */ { flags }) => flags())].flatMap(flagsOf),
    },
    { what: 'command', all: () => COMMANDS.map(ofRow), of: ({ commands = [] }) => commands.map(ofRow) },
    { what: 'format', all: () => REPORTERS.map(ofRow), of: ({ formats = [] }) => formats.map(ofRow) },
    { what: 'display', all: () => DISPLAYS.map(ofRow), of: ({ displays = [] }) => displays.map(ofRow) },
  ]);
}
