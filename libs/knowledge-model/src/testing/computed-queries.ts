/** Questions to the shop with conditions of OData over what is computed, of the record and of related ones. */
import { type DataExpression, parseDataFilter } from '@tessera/filter';
import type { ParsedFilter } from '../query/data-query.js';
import { createRelatedKeyInRange, createRangeKey } from '../query/related-range.js';
import type { QueryCase } from './row-queries.js';
import { romeCaller } from './shop-database.js';

/** `from`: the record that is asked, from which `any` and `all` lead. */
const filter = (text: string, from = ''): { readonly parsedFilters: readonly ParsedFilter[] } => {
  const isField = (name: string): boolean => /^[A-Z_.]+$/.test(name);
  const parsed = parseDataFilter(text, { dialect: 'odata', isField });
  if (!parsed.ok) throw new Error(parsed.fault.message);
  const expression = withRanges(parsed.value, { from, keys: new Map() });
  return { parsedFilters: [{ parameter: '$filter', text, expression }] };
};

type Ranges = { readonly from: string; readonly keys: ReadonlyMap<string, string> };

/** As whoever knows the ways names them: every way here is the record that it leads to. */
const withRanges = (expression: DataExpression, ranges: Ranges): DataExpression => {
  const nameOf = (name: string): string => {
    const [variable = '', field = '', beside] = name.split('.');
    const key = ranges.keys.get(variable);
    if (key === undefined) return name;
    return beside === undefined ? `${key}.${field}` : `${createRelatedKeyInRange(key, field)}.${beside}`;
  };
  const renamed = <Part>(part: Part): Part =>
    JSON.parse(
      JSON.stringify(part, (key, value: unknown) =>
        key === 'name' && typeof value === 'string' ? nameOf(value) : value,
      ),
    );
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { ...expression, operands: expression.operands.map((operand) => withRanges(operand, ranges)) };
    case 'not':
      return { ...expression, operand: withRanges(expression.operand, ranges) };
    case 'any': {
      const { path, variable = '', operand } = expression;
      const [first = '', record = first] = path.split('.');
      const key = createRangeKey(record, ranges.keys.size + 1);
      const range = { key, from: ranges.keys.get(first) ?? ranges.from };
      const inside = { ...ranges, keys: new Map([...ranges.keys, [variable, key]]) };
      return { ...expression, range, ...(operand && { operand: withRanges(operand, inside) }) };
    }
    default:
      return renamed(expression);
  }
};

const items = { record: 'ITEM', fields: ['ORDER_NO', 'ITEM_NO'] };

export const computedQueryCases: readonly QueryCase[] = [
  {
    title: 'arithmetic and functions of one record',
    question: { ...items, ...filter("round(AMOUNT divby 3) mod 2 eq 1 and not (indexof(PRODUCT,'e') ge ITEM_NO)") },
    rows: [
      ['A', '1'],
      ['A', '2'],
      ['B', '1'],
    ],
  },
  {
    title: 'a comparison of fields of two records, of which one may not be there',
    question: { ...items, ...filter('AMOUNT div 10 eq ORDER/FREIGHT') },
    rows: [['A', '1']],
  },
  {
    title: 'a comparison of fields of two records, under a policy: what is hidden is null',
    question: { ...items, ...filter('ORDER/FREIGHT ne AMOUNT sub AMOUNT') },
    caller: romeCaller,
    rows: [
      ['A', '1'],
      ['A', '2'],
      ['B', '1'],
      ['D', '1'],
      ['X', '1'],
    ],
  },
  {
    title: 'what is computed from several related rows, of which one is enough',
    question: {
      record: 'ORDER',
      fields: ['ORDER_NO'],
      ...filter("ITEM/AMOUNT mul 2 gt 100 and concat(ORDER_NO,'!') ne 'X!'"),
    },
    rows: [['A'], ['B']],
  },
  {
    title: 'any related row, beside a condition on what may be another one',
    question: {
      ...{ record: 'ORDER', fields: ['ORDER_NO'] },
      ...filter("ITEM/any(x:x/SIZE eq 'small' and x/ITEM_NO mod 2 eq 0) and ITEM.AMOUNT gt 99", 'ORDER'),
    },
    rows: [['A']],
  },
  {
    title: 'no related row at all, and each of them: null fulfils nothing',
    question: {
      record: 'CUSTOMER',
      fields: ['ID'],
      ...filter('ORDER/all(o:o/FREIGHT gt 1) or not ORDER/any()', 'CUSTOMER'),
    },
    rows: [['3']],
  },
  {
    title: 'related rows of related rows, compared with them',
    question: {
      ...{ record: 'CUSTOMER', fields: ['ID'] },
      ...filter('ORDER/any(o:o/ITEM/any(i:i/AMOUNT gt o/FREIGHT mul 10) and o/CUSTOMER eq ID)', 'CUSTOMER'),
    },
    rows: [['2']],
  },
  {
    title: 'what is one row away from a related row, by a formula',
    question: { ...items, ...filter("DELIVERY/any(d:d/ITEM/SIZE eq 'large' and d/QTY gt 1)", 'ITEM') },
    rows: [
      ['A', '1'],
      ['B', '1'],
      ['X', '1'],
    ],
  },
  {
    title: 'any related row, under policies',
    question: {
      record: 'CUSTOMER',
      fields: ['ID'],
      ...filter('ORDER/any(o:o/FREIGHT eq 10 or o/FREIGHT eq 99)', 'CUSTOMER'),
    },
    caller: romeCaller,
    rows: [['1']],
  },
];
