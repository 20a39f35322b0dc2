import { expect } from 'chai';

import { PALETTE, TERMINAL_HEAT, TERMINAL_PALETTE, colorProperties } from '../../../lib/addons/palette/index.js';

/** Relative luminance and contrast of WCAG 2. */
const luminance = (color) => {
  const hex = color.length === 4 ? color.replace(/[\da-f]/gi, '$&$&') : color;
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [dark, light] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
};

describe('report/palette', () => {
  for (const [scheme, colors] of Object.entries(PALETTE)) {
    it(`texts can be read on every ground of the ${scheme} scheme`, () => {
      for (const [text, ground] of [
        ['text', 'ground'],
        ['text', 'raised'],
        ['quiet', 'ground'],
        ['quiet', 'raised'],
        ['quiet', 'bad-ground'],
        ['quiet', 'good-ground'],
        ['bad', 'bad-ground'],
        ['good', 'good-ground'],
        ['text', 'bad-ground'],
        ['text', 'good-ground'],
      ])
        expect(contrast(colors[text], colors[ground]), `${text} on ${ground}`).to.be.at.least(4.5);
    });
  }

  it('colors of a terminal have enough contrast with white and with dark backgrounds', () => {
    for (const color of [...Object.values(TERMINAL_PALETTE), ...TERMINAL_HEAT])
      for (const ground of ['#ffffff', '#000000', '#1e1e1e'])
        expect(contrast(color, ground), `${color} on ${ground}`).to.be.at.least(3);
  });

  it('both schemes have the same colors, each with a property', () => {
    expect(Object.keys(PALETTE.dark)).to.deep.equal(Object.keys(PALETTE.light));
    for (const name of Object.keys(PALETTE.light)) expect(colorProperties().split(`--${name}:`)).to.have.lengthOf(3);
  });
});
