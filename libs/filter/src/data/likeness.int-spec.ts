import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import type { DataExpression, DataField, DataLiteral, ListMatchOptions } from '../expression.js';
import {
  compileTypedFilter,
  openSampleTable,
  sampleFields,
  type SampleRow,
  type SampleTable,
} from './testing/sample-table.js';
import { typeCheckFilter } from './type-filter.js';

const span = { start: 0, end: 0 };
const literal = (text: string): DataLiteral => ({ kind: 'string', text, ...span });
const among = (name: string, texts: readonly string[], likeness: Partial<ListMatchOptions>): DataExpression => {
  const field: DataField = { name, applied: [], ...span };
  const exactly = { anyBefore: false, anyAfter: false, ignoreCase: false };
  return { kind: 'in', field, literals: texts.map(literal), likeness: { ...exactly, ...likeness } };
};
const negated = (operand: DataExpression): DataExpression => ({ kind: 'not', operand });

const others = {
  ...{ CODE: 'a', SIZE: 1, WEIGHT: '0', PAID: true, BOOKED: '2015-05-07', CLOSES: '18:00:00' },
  ...{ MADE: '2015-05-07T00:00:00', READ: '2015-05-07T00:00:00' },
};
const names = ['Rome', 'ROME', 'Roman road', 'to rome', '100%', '100 percent', 'a_b\\', 'Übersee', '', null];
const rows: readonly SampleRow[] = names.map((NAME, index) => ({ id: index, NAME, ...others }));

let database: TestDatabase;
let table: SampleTable;
beforeAll(async () => {
  database = await createTestDatabase();
  table = await openSampleTable(database.adminUrl);
  await table.fill(rows);
});
afterAll(async () => {
  await table.end();
  await database.drop();
});

const namesWhere = async (expression: DataExpression): Promise<readonly (string | null | undefined)[]> => {
  const typing = typeCheckFilter(expression, sampleFields);
  if (!typing.ok) throw new Error(JSON.stringify(typing.faults));
  const { text, values } = compileTypedFilter(typing.value);
  return (await table.idsWhere(text, values)).map((id) => names[id]);
};

describe('a list of texts with inexact matching', () => {
  it.each<[string, readonly string[], Partial<ListMatchOptions>, readonly string[]]>([
    ['nothing but the texts', ['Rome', ''], {}, ['Rome', '']],
    ['whatever their case', ['rome', 'übersee'], { ignoreCase: true }, ['Rome', 'ROME', 'Übersee']],
    ['with any text behind', ['Rom'], { anyAfter: true }, ['Rome', 'Roman road']],
    ['with any text before', ['ome'], { anyBefore: true }, ['Rome', 'to rome']],
    ['in the middle', ['om'], { anyBefore: true, anyAfter: true }, ['Rome', 'Roman road', 'to rome']],
    [
      'in the middle whatever the case',
      ['OM'],
      { anyBefore: true, anyAfter: true, ignoreCase: true },
      names.slice(0, 4).map(String),
    ],
    ['one of several', ['to', '100'], { anyAfter: true, ignoreCase: true }, ['to rome', '100%', '100 percent']],
  ])('holds for %s', async (_what, texts, likeness, expected) => {
    expect(await namesWhere(among('NAME', texts, likeness))).toEqual(expected);
  });

  it.each(['100%', 'a_b\\', '%', '_', "'", '\\'])('matches %p literally', async (text) => {
    const written = names.filter((name) => name === text);
    const within = names.filter((name) => name?.includes(text));
    expect(await namesWhere(among('NAME', [text], { ignoreCase: true }))).toEqual(written);
    const anywhere = { ignoreCase: true, anyBefore: true, anyAfter: true };
    expect(await namesWhere(among('NAME', [text], anywhere))).toEqual(within);
  });

  it('is false for null, and its negation is true', async () => {
    const left = await namesWhere(negated(among('NAME', ['rom'], { ignoreCase: true, anyAfter: true })));
    expect(left).toEqual(names.filter((name) => !name?.toLowerCase().startsWith('rom')));
    expect(left).toContain(null);
  });

  it('is rejected for a field that is not a string', () => {
    const typing = typeCheckFilter(among('COUNT', ['1'], { ignoreCase: true }), sampleFields);
    expect(typing.ok ? [] : typing.faults.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      'type: COUNT is an integer; only texts are like others.',
    ]);
  });
});
