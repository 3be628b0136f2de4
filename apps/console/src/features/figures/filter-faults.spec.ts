import { describe, expect, it } from '@jest/globals';
import type { CallFault, Refusal } from '../../api/failures.js';
import { faultsInWords, placeFaults } from './filter-faults.js';
import { emptyQuestion, type Question } from './question.js';

const question: Question = {
  ...{ ...emptyQuestion, conditions: ['ITEM.AMOUNT gt 5'] },
  period: { field: 'ORDER.ORDERED', from: '2026-04-01', to: '2026-06-30' },
};

describe('faults', () => {
  const fault = (path: string, position = 3): CallFault => ({
    in: 'query',
    path,
    message: `wrong in ${path}`,
    position,
  });

  const refused = (detail: string, ...faults: readonly CallFault[]): Refusal => ({
    ...{ kind: 'refused', status: 400, code: 'KM_FILTER_SYNTAX', title: 'Filter not understood', detail, faults },
  });
  const refusal = (...faults: readonly CallFault[]): Refusal => refused('Several.', ...faults);

  it('are read in the words of the server', () => {
    const one = "filterExpr (ORDER.PLANT = '1'), character 13: Expected an operator; write eq for the symbol.";
    expect(faultsInWords(one)).toEqual([
      { in: 'query', path: 'filterExpr', position: 12, message: 'Expected an operator; write eq for the symbol.' },
    ]);
    const two =
      "filterExpr 2 of 3 (A eq 'x'\nand B eq 'y'), character 6: A is a float. query filterExpr.1: " +
      "filterExpr 2 of 3 (A eq 'x'\nand B eq 'y'), character 18: B is a date.";
    expect(faultsInWords(two)).toMatchObject([
      { path: 'filterExpr.1', position: 5, message: 'A is a float.' },
      { path: 'filterExpr.1', position: 17, message: 'B is a date.' },
    ]);
    expect(faultsInWords('There is no field ORDER.PLANTT.')).toEqual([]);
    expect(placeFaults(question, refused(one)).conditions.get(0)).toHaveLength(1);
    expect(placeFaults(question, undefined).conditions.size).toBe(0);
  });

  it('of the only expression name no place', () => {
    const alone = { ...question, period: undefined };
    expect([...placeFaults(alone, refusal(fault('filterExpr'))).conditions]).toEqual([[0, [fault('filterExpr')]]]);
  });

  it('of several are told by their places, the period behind the conditions', () => {
    const placed = placeFaults(
      question,
      refusal(fault('filterExpr.0'), fault('filterExpr.0', 9), fault('filterExpr.1')),
    );
    expect(placed.conditions.get(0)).toHaveLength(2);
    expect(placed.period).toEqual([fault('filterExpr.1')]);
  });

  it('of a period alone are its own', () => {
    expect(placeFaults({ ...question, conditions: [] }, refusal(fault('filterExpr'))).period).toHaveLength(1);
  });

  it('of the search are told there, and those of other parts nowhere in particular', () => {
    const placed = placeFaults(question, refusal(fault('searchTerm'), fault('fields')));
    expect(placed.search).toEqual([fault('searchTerm')]);
    expect([placed.conditions.size, placed.period.length]).toEqual([0, 0]);
  });
});
