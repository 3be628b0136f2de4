import { describe, expect, it } from '@jest/globals';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { buildCountQuery } from './entries-query.js';

const model = createSampleModel({
  ITEM: { fields: { NO: 'integer', DONE: 'boolean' }, ways: { SUPPLIER: 'SUPPLIER', PARTS: 'PART*' } },
  SUPPLIER: { fields: { NAME: 'string' }, ways: { ITEMS: 'ITEM*' } },
  PART: { fields: { NO: 'integer' }, ways: { MAKER: 'SUPPLIER', BITS: 'BIT*' } },
  BIT: { fields: { NO: 'integer', OK: 'boolean' } },
});

const read = ($filter: string) => buildCountQuery(findSampleType(model, 'ITEM'), model, { $filter });

/** What is named, and the ranges by which it is found, in their order. */
const namesIn = ($filter: string): readonly string[] => {
  const result = read($filter);
  if (!result.ok) throw new Error(result.failure.detail);
  const text = JSON.stringify(result.value.parsedFilters?.[0]?.expression);
  return [...text.matchAll(/"name":"([^"]*)"|"range":\{"key":"([^"]*)","from":"([^"]*)"\}/g)].map(
    ([, name, key, from]) => name ?? `${from} > ${key}`,
  );
};

const expressionOf = ($filter: string) => {
  const result = read($filter);
  return result.ok ? result.value.parsedFilters?.[0]?.expression : undefined;
};

describe('a navigation property that is compared with null', () => {
  const there = (key: string, from: string) => ({ kind: 'any', range: { key, from } });

  it('asks whether there is an entry', () => {
    expect(expressionOf('SUPPLIER ne null')).toMatchObject(there('SUPPLIER #1', 'ITEM'));
    expect(expressionOf('SUPPLIER ne null')).not.toHaveProperty('operand');
    expect(expressionOf('SUPPLIER eq null')).toMatchObject({ kind: 'not', operand: there('SUPPLIER #1', 'ITEM') });
    expect(expressionOf('not (SUPPLIER is null)')).toMatchObject({ kind: 'not', operand: { kind: 'not' } });
  });

  it('has rows of its own beside other conditions', () => {
    expect(expressionOf('SUPPLIER ne null and SUPPLIER ne null')).toMatchObject({
      operands: [there('SUPPLIER #1', 'ITEM'), there('SUPPLIER #2', 'ITEM')],
    });
    expect(expressionOf("PARTS/any(p:p/MAKER eq null or p/MAKER/NAME eq 'x')")).toMatchObject({
      ...there('PART #1', 'ITEM'),
      operand: {
        operands: [{ operand: there('SUPPLIER #2', 'PART #1') }, { field: { name: 'PART #1 SUPPLIER.NAME' } }],
      },
    });
  });
});

describe('a lambda operator', () => {
  it.each([
    ['PARTS/any()', ['ITEM > PART #1']],
    ['PARTS/any(p:p/NO gt 1)', ['ITEM > PART #1', 'PART #1.NO']],
    ["PARTS/any(p:p/MAKER/NAME eq 'x' and NO gt 1)", ['ITEM > PART #1', 'PART #1 SUPPLIER.NAME', 'NO']],
    ['PARTS/any(p:p/BITS/any(b:b/NO eq 1))', ['ITEM > PART #1', 'PART #1 > BIT #2', 'BIT #2.NO']],
    ['PARTS/any() and PARTS/any()', ['ITEM > PART #1', 'ITEM > PART #2']],
    ['SUPPLIER/ITEMS/any(i:i/DONE)', ['ITEM > SUPPLIER #1', 'SUPPLIER #1 > ITEM #2', 'ITEM #2.DONE']],
    ['PARTS/any(p:p/BITS/all(b:b/OK))', ['ITEM > PART #1', 'PART #1 > BIT #2', 'BIT #2.OK']],
    ['PARTS/$count gt 1', ['PARTS/$count', 'ITEM > PART #1']],
    [
      'PARTS/$count add NO gt PARTS/$count',
      ['NO', 'ITEM > PART #1', 'ITEM > PART #2', 'PARTS/$count add NO gt PARTS/$count'],
    ],
    [
      'PARTS/any(p:p/BITS/$count eq p/NO)',
      ['ITEM > PART #1', 'PART #1 > BIT #2', 'PART #1.NO', 'p/BITS/$count eq p/NO'],
    ],
    ['SUPPLIER eq null', ['ITEM > SUPPLIER #1']],
    ['null ne SUPPLIER', ['ITEM > SUPPLIER #1']],
    ['PARTS/any(p:p/MAKER ne null)', ['ITEM > PART #1', 'PART #1 > SUPPLIER #2']],
  ])('in %s gives each range variable its own name', (text, names) =>
    expect(namesIn(text).toSorted()).toEqual(names.toSorted()),
  );

  it.each([
    ['PARTS/BITS/any()', 'character 1: PARTS leads to several entries; look through them as PARTS/any(x:x/...).'],
    ['PARTS/any(p:p/BITS/NO eq 1)', 'p/BITS leads to several entries; look through them as p/BITS/any(y:y/NO ...).'],
    ['PARTS/any(p:p/MAKER/ITEMS/NO eq 1)', 'character 15: Paths from p have two steps, as in p/MAKER/ITEMS.'],
    ['PARTS/any(p:p/MAKER/NMAE eq 1)', 'character 21: There is no property NMAE in SUPPLIER. Did you mean NAME?'],
    ['PARTS/any(p:p/MAKER eq 1)', 'character 15: p/MAKER leads to other entries; expected p/MAKER/ and one of'],
    ['PARTS/any(p:p/BITZ/any())', 'character 15: There is no way from PART to entries of BITZ. Did you mean BITS?'],
    ['SUPPLIER/ITEMS/$count gt 1', 'character 1: Paths to $count have one step'],
    ['SUPPLIER/$count gt 1', 'character 1: SUPPLIER leads to one entry'],
    ['PARST/$count gt 1', 'character 1: There is no way from ITEM to entries of PARST. Did you mean PARTS?'],
    ['PARTS/$count($filter=NO eq 1) gt 1', 'character 13: $count counts all related entries and takes no options'],
    ['PARTS eq null', 'PARTS/any(x:x/...), PARTS/$count'],
    ['SUPPLIER gt null', 'or eq null, ne null'],
    ["SUPPLIER eq 'x'", 'or eq null, ne null'],
    ['PARTS/any(p:p/NO eq 1', 'character 22: Expected and, or or a closing parenthesis, but the filter ends here.'],
  ])('in %s is refused with the expected syntax', (text, told) => {
    const result = read(text);
    expect(result.ok ? 'read' : result.failure.detail).toContain(told);
  });
});
