/** Questions to the shop with conditions of OData over what is computed, of the record and of related ones. */
import { parseDataFilter } from '@tessera/filter';
import type { ParsedFilter } from '../query/data-query.js';
import type { QuestionCase } from './row-queries.js';
import { roman } from './shop-database.js';

const filter = (text: string): { readonly parsedFilters: readonly ParsedFilter[] } => {
  const isField = (name: string): boolean => /^[A-Z_.]+$/.test(name);
  const parsed = parseDataFilter(text, { dialect: 'odata', isField });
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return { parsedFilters: [{ parameter: '$filter', text, expression: parsed.value }] };
};

const items = { record: 'ITEM', fields: ['ORDER_NO', 'ITEM_NO'] };

export const computedQuestions: readonly QuestionCase[] = [
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
    caller: roman,
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
];
