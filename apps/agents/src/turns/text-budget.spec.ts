import { describe, expect, it } from '@jest/globals';
import { TextBudget } from './text-budget.js';

const mebi = 1024 * 1024;

describe('the text budget', () => {
  it('grants a share of what is left, bounded per team and in total', () => {
    const text = new TextBudget();
    const fillBy = (team: string): readonly number[] =>
      Array.from({ length: 100 }, () => {
        const turn = text.forTurn(team);
        const bytes = turn.bytesMax();
        turn.add(bytes);
        return bytes;
      });
    const sumOf = (bytes: readonly number[]): number => bytes.reduce((sum, each) => sum + each, 0);
    const meridian = fillBy('meridian');
    expect(meridian[0]).toBe(4 * mebi);
    expect(meridian.at(-1)).toBe(16 * 1024);
    expect(sumOf(meridian)).toBeLessThan(20 * mebi);
    expect(sumOf([...meridian, ...fillBy('northgate'), ...fillBy('tinyco')])).toBeLessThan(45 * mebi);
  });

  it('is released when turns end', () => {
    const text = new TextBudget();
    const turn = text.forTurn('meridian');
    turn.add(3 * mebi);
    turn.add(-mebi);
    expect(text.forTurn('meridian').bytesMax()).toBe(3.5 * mebi);
    turn.releaseAll();
    turn.releaseAll();
    expect(text.forTurn('northgate').bytesMax()).toBe(4 * mebi);
  });
});
