import { describe, expect, it } from '@jest/globals';
import { attributesOfLines, describeAttributes, linesOfAttributes } from './attribute-lines.js';

const attributes = { companyCodes: ['1000', '2000'], region: 'EMEA', plants: ['3010'] };

describe('attributes', () => {
  it('stay what they are when nothing is edited: texts are texts, lists are lists', () => {
    expect(attributesOfLines(linesOfAttributes(attributes))).toEqual(attributes);
  });

  it('become a list with the second text', () => {
    expect(attributesOfLines([{ name: ' region ', texts: 'EMEA\n\n APAC ', isList: false }])).toEqual({
      region: ['EMEA', 'APAC'],
    });
  });

  it('without a name are left out, without a text are an empty list', () => {
    expect(
      attributesOfLines([
        { name: ' ', texts: 'x', isList: false },
        { name: 'plants', texts: '', isList: false },
      ]),
    ).toEqual({ plants: [] });
  });

  it('are described in one line', () => {
    expect(describeAttributes(attributes)).toBe('companyCodes: 1000, 2000; region: EMEA; plants: 3010');
    expect(describeAttributes({})).toBe('');
  });
});
