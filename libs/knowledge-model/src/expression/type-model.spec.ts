import { describe, expect, it } from '@jest/globals';
import { runUnsliced } from '@tessera/fair-queue';
import { type KnowledgeModel, normaliseModel } from '../model/knowledge-model.js';
import { standardFormulaLimits } from './parse-formula.js';
import { type ReportFault, typeCheckModel } from './type-model.js';
import { faultsOfSampleFormula } from '../testing/sample-model.js';

const modelOf = (
  kpis: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>> = {},
): KnowledgeModel =>
  normaliseModel({
    kind: 'KnowledgeModel',
    id: 'm',
    records: [
      {
        id: 'A',
        identifier: ['ID'],
        attributes: [
          { id: 'ID', column: 'id', type: 'integer' },
          { id: 'X', column: 'x', type: 'float' },
        ],
        augmentedAttributes: Object.entries(fields).map(([id, expression]) => ({ id, expression })),
      },
      { id: 'B', identifier: ['ID'], attributes: [{ id: 'ID', column: 'id' }] },
    ],
    kpis: Object.entries(kpis).map(([id, expression]) => ({ id, expression })),
  });

const typed = (model: KnowledgeModel, weightMax = standardFormulaLimits.weightMax) => {
  const faults: string[] = [];
  const note: ReportFault = (steps, { position, message }) =>
    void faults.push(`${steps.join('.')} ${position}: ${message}`);
  const formulas = runUnsliced(typeCheckModel(model, note, { ...standardFormulaLimits, weightMax }));
  return { faults, formulas };
};

describe('typeCheckModel', () => {
  it('types every column and formula of every record', () => {
    const { faults, formulas } = typed(modelOf({}, { DOUBLE: 'X * 2', LATER: 'DOUBLE > SOON', SOON: '1' }));
    expect(faults).toEqual([]);
    const types = [...(formulas.fields.get('A') ?? [])].map(([id, { kind, type }]) => [id, kind, type]);
    expect(types).toEqual([
      ['ID', 'column', 'integer'],
      ['X', 'column', 'float'],
      ['DOUBLE', 'derived', 'float'],
      ['LATER', 'derived', 'boolean'],
      ['SOON', 'derived', 'integer'],
    ]);
    expect([...(formulas.fields.get('B')?.keys() ?? [])]).toEqual(['ID']);
  });

  it('determines the grain of a KPI through the KPIs that it references', () => {
    const { faults, formulas } = typed(
      modelOf({
        RATE: 'ROWS / coalesce(OTHERS, 1)',
        ROWS: 'count(A.*)',
        OTHERS: 'count(distinct B.ID)',
        MORE: 'RATE + ROWS',
      }),
    );
    expect(faults).toEqual([]);
    expect([...formulas.kpis].map(([id, { records }]) => [id, records])).toEqual([
      ['RATE', ['A', 'B']],
      ['ROWS', ['A']],
      ['OTHERS', ['B']],
      ['MORE', ['A', 'B']],
    ]);
  });

  it('reports no fault for names of faulty formulas', () => {
    const { faults, formulas } = typed(
      modelOf({ BAD: 'sum(A.Z)', GOOD: 'count(A.*)', AFTER: 'BAD / GOOD' }, { Y: 'W', Z: 'Y + 1' }),
    );
    expect(faults).toEqual(['records.A.augmentedAttributes.Y.expression 0: Unknown field "W" of A. Did you mean X?']);
    expect([...formulas.kpis.keys()]).toEqual(['GOOD']);
  });

  it('adds the weight of referenced formulas to the weight of a formula', () => {
    const fields = { F0: 'X', F1: 'F0 + F0', F2: 'F1 + F1', F3: 'F2 + F2' };
    expect(typed(modelOf({}, fields), 50).faults).toEqual([]);
    expect(typed(modelOf({}, fields), 20).faults).toEqual([
      expect.stringMatching(/^records\.A\.augmentedAttributes\.F3\.expression 0: With what it names put in/),
    ]);
  });

  it('counts the weight of a text once for each use in the SQL', () => {
    const nested = `${'cast(cast('.repeat(5)}ID${' as string) as integer)'.repeat(5)}`;
    expect(typed(modelOf({}, { NESTED: nested })).faults).toEqual([expect.stringContaining('parts; at most 5000')]);
  });
});

describe('a formula that multiplies its text', () => {
  const grown = (times: number): string =>
    Array.from({ length: times }).reduce<string>((inner) => `replace(${inner}, 'a', 'aaaaaaaaaa')`, 'NAME');

  it('is rejected when nested replacements multiply it too often', () => {
    expect(faultsOfSampleFormula(grown(3), 'ITEM')).toEqual([]);
    expect(faultsOfSampleFormula(grown(4), 'ITEM')).toEqual([
      expect.stringMatching(/^0: With what it names put in, this formula has \d+ parts; at most 5000 are accepted\.$/),
    ]);
  });

  it('is accepted when nested replacements do not grow', () => {
    const shortened = grown(20).replaceAll('aaaaaaaaaa', 'b');
    expect(faultsOfSampleFormula(shortened, 'ITEM')).toEqual([]);
  });
});
