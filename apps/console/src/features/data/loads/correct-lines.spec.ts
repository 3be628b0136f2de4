import { describe, expect, it } from '@jest/globals';
import { correctLines, linesAt } from './correct-lines.js';

const batch = { firstLine: 10, text: 'a,1\r\nb,"x\ny"\nc,3\r' };

describe('lines of a batch', () => {
  it('are those of the file, without their ends', () => {
    expect([...linesAt(batch, [10, 11, 12, 13])]).toEqual([
      [10, 'a,1'],
      [11, 'b,"x'],
      [12, 'y"'],
      [13, 'c,3'],
    ]);
  });

  it('may have no end, when it is the last one of the file', () => {
    const last = { firstLine: 3, text: 'a\n\nb' };
    expect([...linesAt(last, [3, 4, 5])].map(([, line]) => line)).toEqual(['a', '', 'b']);
    expect(correctLines(last, new Map([[5, 'c']]))).toBe('a\n\nc');
  });

  it('of other batches are left out', () => {
    expect(linesAt(batch, [9, 14]).size).toBe(0);
  });
});

describe('a corrected batch', () => {
  it('has the new lines in place of its own, with their ends', () => {
    const corrections = new Map([
      [10, 'a,"2"'],
      [13, ''],
      [99, 'other'],
    ]);
    expect(correctLines(batch, corrections)).toBe('a,"2"\r\nb,"x\ny"\n\r');
  });

  it('is the same text when none of its lines is corrected', () => {
    expect(correctLines(batch, new Map())).toBe(batch.text);
    expect(
      correctLines(
        batch,
        new Map([
          [9, 'x'],
          [14, 'x'],
        ]),
      ),
    ).toBe(batch.text);
  });
});
