import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { checkModel } from '../check-model.js';
import { isAdditive } from './compile-insights.js';

const modelWith = (expression: string): KnowledgeModelDefinition => ({
  kind: 'KnowledgeModel',
  id: 'm',
  source: { schema: 's' },
  records: [
    {
      id: 'T',
      table: 't',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'A', column: 'a', type: 'float' },
      ],
    },
  ],
  kpis: [
    { id: 'K', expression, parameters: [{ id: 'p', value: '1.5' }] },
    { id: 'SUM', expression: 'sum(T.A)' },
    { id: 'MEAN', expression: 'avg(T.A)' },
  ],
});

const addsUpAs = (expression: string): boolean => {
  const checked = checkModel(modelWith(expression), new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const kpi = checked.formulas.kpis.get('K');
  return kpi !== undefined && isAdditive(kpi.formula);
};

describe('isAdditive', () => {
  it.each([
    ...['sum(T.A)', 'count(T.*)', 'count(T.A)', 'sum(T.A) filter (where T.ID > 3)', 'sum(T.A * T.A)'],
    ...['sum(T.A) - count(T.*)', '-sum(T.A)', '2 * SUM', 'SUM / 100', 'SUM * :p', '(SUM + count(T.*)) * -1.5'],
    'coalesce(sum(T.A), 0)',
  ])('is true for %s', (expression) => {
    expect(addsUpAs(expression)).toBe(true);
  });

  it.each([
    ...['avg(T.A)', 'max(T.A)', 'min(T.A)', 'count(distinct T.A)', 'SUM / count(T.*)', 'SUM * SUM', 'SUM + 1'],
    ...['abs(SUM)', 'round(SUM)', 'MEAN', 'SUM + MEAN', '100 / SUM', 'coalesce(SUM, 1)', 'count(T.*) % 2'],
    'case when SUM > 3 then SUM else 0 end',
  ])('is false for %s', (expression) => {
    expect(addsUpAs(expression)).toBe(false);
  });
});
