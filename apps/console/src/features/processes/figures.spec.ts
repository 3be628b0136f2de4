import { describe, expect, it } from '@jest/globals';
import { readOnlyElement } from './content-element.js';
import { keyFiguresOf, liveFigure, type KpiDescription } from './figures.js';

const rate = { id: 'k1', attributes: { figure: { 127: 'MAVERICK_RATE' }, unit: { 127: '%' }, target: { 127: 5 } } };
const open = { id: 'k2', attributes: { unit: { 127: 'days' }, target: { 127: 30 } } };
const read = (value: object) => {
  const element = readOnlyElement({ elements: [value] });
  if (element === undefined) throw new Error('There is no element.');
  return element;
};
const kpi = (more: Partial<KpiDescription>): KpiDescription => ({
  ...{ id: 'MAVERICK_RATE', name: 'Maverick buying', description: '', direction: 'Down', parameters: [], records: [] },
  ...more,
});

describe('the key figures of an element', () => {
  it('are those that its relations lead to, each once', () => {
    const process = read({ id: 'p', related: { measuredBy: [rate, open], also: [rate], uses: [{ id: 'erp' }] } });
    expect(keyFiguresOf(process).map(({ kpiId, unit, target }) => [kpiId, unit, target])).toEqual([
      ['MAVERICK_RATE', '%', 5],
      [undefined, 'days', 30],
    ]);
  });

  it('are the element itself where it describes one', () => {
    expect(
      keyFiguresOf(read({ ...rate, related: { measures: [{ id: 'p' }] } })).map(({ element }) => element.id),
    ).toEqual(['k1']);
    expect(keyFiguresOf(read({ id: 'p' }))).toEqual([]);
  });
});

describe('a live figure', () => {
  const [figure] = keyFiguresOf(read(rate));
  if (figure === undefined) throw new Error('There is no figure.');

  it('of a rate is a share, and so is its target', () => {
    expect(liveFigure(figure, kpi({ format: '.1%' }), 0.042)).toEqual({ value: 0.042, unit: '%', target: 0.05 });
  });

  it('has the unit of its KPI', () => {
    const inEuro = { ...figure, target: 4_000_000 };
    expect(liveFigure(inEuro, kpi({ unit: 'EUR', format: ',.0f' }), '11367752.86')).toEqual({
      ...{ value: 11_367_752.86, unit: 'EUR', target: 4_000_000 },
    });
  });

  it('has the target of the model where the content has none', () => {
    const without = { ...figure, target: undefined };
    expect(liveFigure(without, kpi({ format: '.1%', target: '0.03' }), 0.1).target).toBe(0.03);
    expect(liveFigure(without, kpi({ target: '' }), 0.1).target).toBeUndefined();
  });

  it.each([null, undefined, '', 'none', Number.NaN])('without a value (%j) is a gap', (value) => {
    expect(liveFigure(figure, kpi({}), value).value).toBeUndefined();
  });
});
