import { describe, expect, it } from '@jest/globals';
import { indentExactJson, parseJsonWithDigitStrings } from './exact-json.js';

const text = '{"a":[9223372036854775807,0.12977099236641221374,-2.5],"b":{"c":1e-7,"d":"9007199254740993","e":null}}';

describe('numbers in an answer', () => {
  it('become strings only where a JavaScript number would lose digits', () => {
    expect(parseJsonWithDigitStrings(text)).toEqual({
      a: ['9223372036854775807', '0.12977099236641221374', -2.5],
      b: { c: 1e-7, d: '9007199254740993', e: null },
    });
  });

  it('keep their digits in an indented document', () => {
    const indented = indentExactJson(text);
    expect(indented.replaceAll(/\s/g, '')).toBe(text);
    expect(indented).toContain('\n    9223372036854775807,\n');
  });
});
