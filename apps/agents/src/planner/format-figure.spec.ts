import { describe, expect, it } from '@jest/globals';
import { formatExactFigureIfRounded, formatExactFigure, formatFigure, formatNumber } from './format-figure.js';

const euro = { unit: 'EUR', format: ',.0f' };
const rate = { format: '.1%' };
const days = { unit: 'days', format: '.1f' };

describe('figures', () => {
  it.each([
    [11_367_752.86, euro, '11,367,753 EUR', '11,367,752.86 EUR', '11.367.752,86 EUR'],
    [0.042, rate, '4.2 %', '4.20 %', '4,20 %'],
    [0.09931766489764973, rate, '9.9 %', '9.93 %', '9,93 %'],
    [56.71, days, '56.7 days', '56.71 days', '56,71 Tage'],
    [20_000, { format: ',' }, '20,000', '20,000', '20.000'],
    [0.285, rate, '28.5 %', '28.50 %', '28,50 %'],
    [2.4, { format: '.1f' }, '2.4', '2.40', '2,40'],
    [-570_285.46, euro, '-570,285 EUR', '-570,285.46 EUR', '-570.285,46 EUR'],
    [null, euro, '–', '–', '–'],
  ])('format %s by their format, with all digits, and in German', (value, shown, short, exact, german) => {
    expect(formatFigure(value, shown, 'en')).toBe(short);
    expect(formatExactFigure(value, shown, 'en')).toBe(exact);
    expect(formatExactFigure(value, shown, 'de')).toBe(german);
  });

  it('are followed by the exact value where the format drops digits', () => {
    expect(formatExactFigureIfRounded(0.042, rate, 'en')).toBeUndefined();
    expect(formatExactFigureIfRounded(0.0993, rate, 'en')).toBe('9.93 %');
    expect(formatExactFigureIfRounded(20_000, { format: ',' }, 'en')).toBeUndefined();
    expect(formatExactFigureIfRounded(null, rate, 'en')).toBeUndefined();
  });

  it('print the limits of comparisons with the separators of the language', () => {
    expect(formatNumber(10_000, 'de')).toBe('10.000');
    expect(formatNumber(4.5, 'en')).toBe('4.5');
  });
});
