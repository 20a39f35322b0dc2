import { expect } from 'chai';

import { fieldsOf } from '../../../lib/addons/export/protobuf.js';
import { varint } from '../../support/profiles.js';

describe('export/protobuf', () => {
  it('a field of negative length is refused: it would lead back to the fields before it', () => {
    const [numbers, fixed] = [
      Buffer.from([8, 1].concat(...new Array(1023).fill([8, 1]))),
      Buffer.from([13, 0, 0, 0, 0]),
    ];
    const minus2048 = Buffer.from([0x80, 0xf0, 255, 255, 255, 255, 255, 255, 255, 1]);
    const bytes = Buffer.concat([numbers, fixed, varint(10), minus2048]);
    const fields = fieldsOf(bytes, 'profile');
    const takeAll = () => {
      for (let taken = 0; !fields.next().done; taken++) expect(taken).to.be.below(bytes.length);
    };
    expect(takeAll).to.throw(TypeError, 'it is no profile, or was cut off');
  });
});
