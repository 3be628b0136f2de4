import { describe, expect, it } from '@jest/globals';
import { parseFormula } from '../expression/parse-formula.js';
import { printFormula } from './print-formula.js';

const printed = (text: string): string => {
  const parsing = parseFormula(text);
  if (!parsing.ok) throw new Error(`${text}: ${parsing.fault.message}`);
  return printFormula(parsing.value);
};

describe('printFormula', () => {
  it.each([
    ['((a))', 'a'],
    ['(a + b) + c', 'a + b + c'],
    ['a + (b + c)', 'a + (b + c)'],
    ['(a * b) + c', 'a * b + c'],
    ['a * (b + c)', 'a * (b + c)'],
    ['-(a + b)', '-(a + b)'],
    ['-(a)', '-a'],
    ['(a and b) or c', 'a and b or c'],
    ['a and (b or c)', 'a and (b or c)'],
    ['(a and b) and c', '(a and b) and c'],
    ['not (a and b)', 'not (a and b)'],
    ['not (not a)', 'not not a'],
    ['(not a) is null', '(not a) is null'],
    ['(a = b) = c', '(a = b) = c'],
    ['(a is null) is not null', 'a is null is not null'],
    ['(a in (1)) = b', 'a in (1) = b'],
    ['a between (b + 1) and (c = d)', 'a between b + 1 and (c = d)'],
    ["(a || b) like 'x'", "a || b like 'x'"],
    ['case (a) when (b) then (c) else (d) end', 'case a when b then c else d end'],
    ['SUM( DISTINCT a ) FILTER( WHERE (b) )', 'sum(distinct a) filter (where b)'],
    ['"A" + "b c" + "select" + "and"', 'A + "b c" + select + "and"'],
    ['"R"."F-1" + R.*', 'R."F-1" + R.*'],
    [':"p q" + :p', ':"p q" + :p'],
  ])('prints %s as %s', (text, again) => {
    expect(printed(text)).toBe(again);
    expect(printed(printed(text))).toBe(again);
  });
});
