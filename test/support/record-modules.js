import { appendFileSync } from 'node:fs';
import Module, { register } from 'node:module';
import { pathToFileURL } from 'node:url';

/** For `node --import`: appends the URL of every module that a thread loads to the file RECORD_MODULES. */
register('./record-modules-hook.js', import.meta.url);

// the hook does not see what `require` loads
const load = Module._load;
Module._load = function (request, parent, isMain) {
  const path = Module._resolveFilename(request, parent, isMain);
  if (!Module.isBuiltin(path)) appendFileSync(process.env.RECORD_MODULES, `${pathToFileURL(path)}\n`);
  return load.call(this, request, parent, isMain);
};
