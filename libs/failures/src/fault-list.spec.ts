import { expect, it } from '@jest/globals';
import { createFaultList } from './fault-list.js';

it('keeps faults in their order, with path and suggestion', () => {
  const list = createFaultList('definition');
  list.add(['kpis', 3, 'id'], 'twice', '"A" is defined twice');
  list.unknown(['records', 0, 'table'], 'table', 'ordres', ['orders', 'items']);
  expect(list.faults).toEqual([
    { in: 'definition', path: 'kpis.3.id', rule: 'twice', message: '"A" is defined twice' },
    {
      in: 'definition',
      path: 'records.0.table',
      rule: 'unknown',
      message: 'unknown table "ordres"; did you mean "orders"?',
      suggestion: 'orders',
    },
  ]);
});

it('lists the expected names when none is similar and there are few of them', () => {
  const list = createFaultList('definition');
  list.unknown([], 'table', 'x', ['orders', 'items']);
  list.unknown(
    [],
    'table',
    'x',
    Array.from({ length: 13 }, (_, index) => `table_${index}`),
  );
  expect(list.faults.map(({ message }) => message)).toEqual([
    'unknown table "x"; expected one of orders, items',
    'unknown table "x"',
  ]);
});

it('adds a fault of a nested value under the path of that value', () => {
  const list = createFaultList('definition');
  list.adopt(['kpis', 0, 'expression'], { message: 'Expected a field.', rule: 'syntax', position: 7 });
  expect(list.faults).toEqual([
    { in: 'definition', path: 'kpis.0.expression', message: 'Expected a field.', rule: 'syntax', position: 7 },
  ]);
});
