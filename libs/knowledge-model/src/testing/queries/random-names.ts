/**
 * Names as hostile as their rules let them be, each once: ids that are keywords, differ in case alone or in the last of 64
 * characters, tables and columns that hold quotes. The plain ones come first.
 */
import { formulaReservedWords } from '../../expression/formula.js';
import type { RandomChoices } from './choices.js';

const longestName = 'L'.repeat(63);
const hostileIds = [
  ...[
    'a',
    'select',
    'ORDER',
    'null',
    'not',
    'in',
    'and',
    'true',
    'is',
    'eq',
    'or',
    'count',
    'sum',
    'date',
    'CASE',
    'contains',
  ],
  ...[
    '_',
    '__proto__',
    'constructor',
    'no-1',
    'x--y',
    'r',
    'R',
    'R1',
    't0',
    'root',
    'value',
    'total',
    'year',
    'asc',
    'all',
  ],
  ...[
    `${longestName}1`,
    `${longestName}2`,
    'caller',
    'user',
    'column_1',
    'group',
    'excluded',
    'ctid',
    'filter',
    'over',
  ],
  ...['rows', 'grains', 'groups', 'k1', 'a1', 'i1'],
];
const hostileColumns = [
  ...[
    'order',
    'a"b',
    "it's",
    'a.b',
    '$1',
    '%s',
    'ä ö',
    '💥',
    'x;drop table y',
    '--',
    '/*',
    '\\',
    ' ',
    'UPPER',
    'upper',
  ],
  ...['"', '{}', ':p', '?', 'null', 'a\nb', 'n'.repeat(63), 'user', 'value', 'key', 'count', '日本語', '@', '#'],
];

export type RandomNames = {
  readonly record: () => string;
  readonly table: () => string;
  /** Of the fields of one record. */
  readonly fields: () => () => string;
  readonly columns: () => () => string;
};

export const createRandomNames = (choices: RandomChoices): RandomNames => {
  const tables = distinctNames(choices, 'table', hostileColumns);
  return {
    record: distinctNames(choices, 'RECORD', hostileIds),
    table: tables,
    fields: () => distinctNames(choices, 'F', hostileIds),
    columns: () => distinctNames(choices, 'c', hostileColumns),
  };
};

const distinctNames = (choices: RandomChoices, plain: string, hostile: readonly string[]): (() => string) => {
  const left = [...hostile];
  let count = 0;
  return () => {
    count++;
    const isHostile = choices.chance(40) && left.length > 0;
    return isHostile ? (left.splice(choices.below(left.length), 1)[0] ?? plain) : `${plain}${count}`;
  };
};

/** An id as it stands in a formula. */
export const printFormulaName = (id: string): string =>
  /^[A-Za-z_]\w*$/.test(id) && !formulaReservedWords.has(id.toLowerCase()) ? id : `"${id}"`;
