import { describe, expect, it } from '@jest/globals';
import { scanFormula } from './parse-formula.js';

const kinds = (text: string): string =>
  scanFormula(text)
    .map((token) => ('text' in token ? `${token.kind}:${token.text}` : token.kind))
    .join(' ');

describe('scanFormula', () => {
  it.each([
    ['', 'end'],
    [' \t\r\n', 'end'],
    ['a1_Ä b', 'word:a1_Ä word:b end'],
    ['1 1.5 1e9 2.5E-3', 'number:1 number:1.5 number:1e9 number:2.5E-3 end'],
    ['A.B', 'word:A symbol:. word:B end'],
    ['1.x', 'number:1 symbol:. word:x end'],
    ['\'it\'\'s\' "a""b"', 'string:it\'s quoted:a"b end'],
    ['\'\' ""', 'string: quoted: end'],
    ['<= >= <> != || < > =', 'symbol:<= symbol:>= symbol:<> symbol:<> symbol:|| symbol:< symbol:> symbol:= end'],
    ['(-a*b)/c%:d', 'symbol:( symbol:- word:a symbol:* word:b symbol:) symbol:/ word:c symbol:% symbol:: word:d end'],
    ['a - -b', 'word:a symbol:- symbol:- word:b end'],
    ['a--b', 'word:a illegal end'],
    ['a /* b */', 'word:a illegal end'],
    ['a; b', 'word:a illegal end'],
    ['a | b', 'word:a illegal end'],
    ["'open", 'illegal end'],
    ['"open', 'illegal end'],
    ["'a\0b'", 'illegal end'],
    ['12ab', 'illegal end'],
    ['1e999', 'illegal end'],
    ['\u00a0', 'illegal end'],
  ])('splits %j into the tokens %s', (text, tokens) => {
    expect(kinds(text)).toBe(tokens);
  });

  it('records the start and end of each token', () => {
    expect(scanFormula(" ab <= 'c''d'").map(({ start, end }) => [start, end])).toEqual([
      [1, 3],
      [4, 6],
      [7, 13],
      [13, 13],
    ]);
  });

  it('does not split surrogate pairs in messages', () => {
    expect(scanFormula('a 💥')[1]).toMatchObject({ kind: 'illegal', message: '"💥" means nothing in a formula' });
  });
});
