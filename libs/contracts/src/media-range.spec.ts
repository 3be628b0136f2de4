import { describe, expect, it } from '@jest/globals';
import { parseHeaderParameter, splitOutsideQuotes } from './header-value.js';
import { parseMediaRange, parseMediaRanges, qualityOf } from './media-range.js';

describe('the value of a header', () => {
  it.each([
    ['a, b ,c', ['a', 'b', 'c']],
    ['', ['']],
    ['a,,b', ['a', '', 'b']],
    ['a="x,y", b', ['a="x,y"', 'b']],
    [String.raw`a="x\",y", b`, [String.raw`a="x\",y"`, 'b']],
    ['a="x, b', ['a="x, b']],
  ])('%j is split at commas outside of quotes', (text, parts) => expect(splitOutsideQuotes(text, ',')).toEqual(parts));

  it.each([
    ['Name = value', 'name', 'value'],
    ['name', 'name', ''],
    ['name="a b"', 'name', 'a b'],
    [String.raw`name="a\"b\\"`, 'name', String.raw`a"b\ `.trim()],
    ['name="', 'name', '"'],
    ['a=b=c', 'a', 'b=c'],
  ])('%j is parsed as a parameter', (text, name, value) => expect(parseHeaderParameter(text)).toEqual([name, value]));
});

describe('a media range', () => {
  it('has a type, parameters and a quality', () => {
    expect(parseMediaRange('Text/HTML; Level=1 ;q=0.5; x="A;B"')).toEqual({
      type: 'text/html',
      parameters: [
        ['level', '1'],
        ['x', 'A;B'],
      ],
      quality: 0.5,
    });
  });

  it.each(['', 'text', 'text/', '/html', 'te xt/html', 'a/b;q=2', 'a/b;q=', 'a/b;q=0.1234', 'a/b;q=-1'])(
    'is not %j',
    (text) => expect(parseMediaRange(text)).toBeUndefined(),
  );

  it('is skipped when it is invalid', () => {
    expect(parseMediaRanges('x, a/b;q=2, */*').map(({ type }) => type)).toEqual(['*/*']);
  });
});

it('qualityOf takes the quality of a media type from the most specific matching range', () => {
  const ranges = parseMediaRanges('*/*;q=0.1, text/*;q=0.2, text/html;q=0, text/html');
  expect(['text/html', 'text/plain', 'image/png'].map((type) => qualityOf(type, ranges))).toEqual([
    { quality: 0, specificity: 2 },
    { quality: 0.2, specificity: 1 },
    { quality: 0.1, specificity: 0 },
  ]);
  expect(qualityOf('text/plain', parseMediaRanges('text/html'))).toBeUndefined();
});
