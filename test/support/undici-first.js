// node --import ./test/support/undici-first.js: undici is the default transport, including the threads of the command
import '../../lib/addons.js';
import { TRANSPORTS } from '../../lib/core/transport/index.js';

TRANSPORTS.reverse();
