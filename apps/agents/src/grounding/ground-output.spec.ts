import { describe, expect, it } from '@jest/globals';
import { createFrame, createToolStep, plantsFrame } from '../testing/told-steps.js';
import { readAskedNumbers } from './ground-answer.js';
import { findUnverifiedOutput } from './ground-output.js';
import { ToldValues } from './told-values.js';

const plants = [createToolStep(plantsFrame)];
const check = (output: Record<string, unknown>, steps = plants) =>
  findUnverifiedOutput(output, [], new ToldValues(steps), readAskedNumbers([]));
const pathsIn = (output: Record<string, unknown>, steps = plants) =>
  check(output, steps).figures.map(({ path }) => path);

describe('the numbers of a structured output', () => {
  it('are found among what was told, each with its path', () => {
    expect(pathsIn({ plants: [{ value: 4_100_000.5 }, { value: 42 }] })).toEqual(['plants.1.value']);
  });

  it('are counts where their member says so', () => {
    expect(pathsIn({ plantCount: 4, total: 4, blocked: 4 })).toEqual(['blocked']);
  });

  it('have the sign that was told, or a member that says it', () => {
    const loss = [createToolStep(createFrame([['PROFIT', 'FLOAT', 'Profit']], [[-500]]))];
    expect(pathsIn({ profit: -500, netLoss: 500, income: 500 }, loss)).toEqual(['income']);
  });

  it('are read in names that are texts', () => {
    expect(pathsIn({ 'Revenue is 42': 'yes', plant_2010: 'late', q1_2026: 'fine' })).toEqual(['Revenue is 42']);
  });

  it('beyond those that are looked at are not known to be right', () => {
    expect(check({ values: Array.from({ length: 9_000 }, () => 'fine') }).isCut).toBe(false);
    expect(check({ values: Array.from({ length: 11_000 }, () => 'fine') }).isCut).toBe(true);
  });
});
