import { expect } from 'chai';

import { formField } from '../../../lib/addons/multipart/form-flag.js';

describe('fields of a form in flags', () => {
  const rows = [
    ['a=b', 'a', 'b'],
    ['a=', 'a', ''],
    ['a=b=c', 'a', 'b=c'],
    ['a=@x.png', 'a', { file: 'x.png' }],
    ['a=@@home', 'a', '@home'],
    ['a=@x.bin;type=image/png', 'a', { file: 'x.bin', contentType: 'image/png' }],
    [
      'a=@x;type=text/plain;charset=utf-8;filename=y',
      'a',
      { file: 'x', contentType: 'text/plain;charset=utf-8', filename: 'y' },
    ],
    ['a=@"x;1";filename="y;2"', 'a', { file: 'x;1', filename: 'y;2' }],
    ['a=1;type=application/json', 'a', { value: '1', contentType: 'application/json' }],
    ['a=1;2;b=3', 'a', '1;2;b=3'],
    ['a=#{INDEX}', 'a', '#{INDEX}'],
  ];
  for (const [text, name, value] of rows)
    it(`${text} is the field ${name}: ${JSON.stringify(value)}`, () =>
      expect(formField(text)).to.deep.equal([[name, value]]));

  it('reads the JSON form of autocannon', () => {
    const form = {
      a: { type: 'text', value: 'b' },
      f: { type: 'file', path: './x.png', options: { filename: 'y.png', contentType: 'image/jpeg' } },
      g: { type: 'file', path: 'z', options: { filepath: 'dir/z.txt' } },
      h: 'own',
    };
    expect(formField(JSON.stringify(form))).to.deep.equal([
      ['a', 'b'],
      ['f', { file: './x.png', filename: 'y.png', contentType: 'image/jpeg' }],
      ['g', { file: 'z', filename: 'dir/z.txt' }],
      ['h', 'own'],
    ]);
  });

  for (const [text, says] of [
    ['name', /Expected 'name=value' or 'name=@file'/],
    ['=x', /Expected 'name=value'/],
    ['form.json', /A body as it is sent is -b/],
    ['a=@', /Expected the path of a file/],
    ['a=@-', /Expected the path of a file/],
    ['{"a":', /The form is not JSON: /],
  ])
    it(`${text} is refused`, () => expect(() => formField(text)).to.throw(says));
});
