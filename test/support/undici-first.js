// node --import ./test/support/undici-first.js: undici is the default transport, in the threads of the command as well
import { TRANSPORTS } from '../../lib/transport/index.js';

TRANSPORTS.reverse();
