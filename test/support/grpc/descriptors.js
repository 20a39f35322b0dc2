import { readFileSync } from 'node:fs';

import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor.js';

/** Writes a .proto file as a set of descriptors, with the names of the file. */
export function descriptorsOf(path) {
  const { root, imports = [] } = protobuf.parse(readFileSync(path, 'utf8'), { keepCase: true });
  for (const name of imports) root.addJSON(protobuf.common.get(name).nested);
  return descriptor.FileDescriptorSet.encode(root.resolveAll().toDescriptor('proto3')).finish();
}
