import { describe, expect, it } from '@jest/globals';
import { cellFormat, figureStyleOf, scaled, timeMsOf, type Cell, type Header } from './value-format.js';

const words = { yes: 'ja', no: 'nein' };
type Shown = Partial<Header>;
const write = (shown: Shown, value: Cell, language: 'en' | 'de' | 'es' = 'en'): string =>
  cellFormat({ type: 'string', ...shown }, language, words)(value);

describe('numbers', () => {
  it.each<readonly [Shown, Cell, string]>([
    [{ type: 'float', format: ',.2f', unit: 'EUR' }, 1234.5, '1,234.50\u00a0EUR'],
    [{ type: 'float', format: ',.0f', unit: 'EUR' }, 1234.5, '1,235\u00a0EUR'],
    [{ type: 'float', format: '.1%' }, 0.09934, '9.9%'],
    [{ type: 'float', format: '%' }, 0.09934, '10%'],
    [{ type: 'float', format: '.1f', unit: 'days' }, 8.8, '8.8\u00a0days'],
    [{ type: 'integer', format: ',' }, 62_000, '62,000'],
    [{ type: 'integer' }, 2026, '2026'],
    [{ type: 'float' }, 1234.56789, '1,234.5679'],
    [{ type: 'float', format: 'something else' }, 0.5, '0.5'],
  ])('of %j: %j is written %j', (shown, value, expected) => expect(write(shown, value)).toBe(expected));

  it('are written as the language does', () => {
    expect(write({ type: 'float', format: ',.2f' }, 1234.5, 'de')).toBe('1.234,50');
    expect(write({ type: 'float', format: '.1%' }, 0.0993, 'es')).toBe('9,9\u00a0%');
  });

  it('keep digits that no double holds', () => {
    expect(write({ type: 'float', format: ',.2f' }, '12345678901234567890.12')).toBe('12,345,678,901,234,567,890.12');
  });

  it('that are none stay texts', () => {
    expect([
      write({ type: 'float' }, 'NaN'),
      write({ type: 'float' }, null),
      write({ type: 'float' }, Number.NaN),
    ]).toEqual(['NaN', '', 'NaN']);
  });

  it('of a figure have the unit that it writes', () => {
    expect(figureStyleOf({ type: 'float', format: '.1%' })).toEqual({ unit: '%', digits: 1, factor: 1 });
    expect(figureStyleOf({ type: 'float', format: '.1f', unit: '%' })).toEqual({ unit: '%', digits: 1, factor: 0.01 });
    expect(figureStyleOf({ type: 'float', format: ',.0f', unit: 'EUR' })).toEqual({
      unit: 'EUR',
      digits: 0,
      factor: 1,
    });
    expect(figureStyleOf({ type: 'integer' })).toEqual({ unit: '', digits: 4, factor: 1 });
    expect([scaled(3, 0.01), scaled(undefined, 0.01)]).toEqual([0.03, undefined]);
  });
});

describe('dates', () => {
  it.each<readonly [Shown['grain'], string, string]>([
    [undefined, '2026-03-01', 'Mar 1, 2026'],
    ['week', '2026-03-02', 'Mar 2, 2026'],
    ['month', '2026-03-01', 'Mar 2026'],
    ['quarter', '2026-04-01', 'Q2 2026'],
    ['year', '2026-01-01', '2026'],
  ])('by %s: %s is written %s, in every time zone', (grain, value, expected) =>
    expect(write({ type: 'date', grain }, value)).toBe(expected),
  );

  it('are written as the language does', () => {
    expect(write({ type: 'date' }, '2026-03-01', 'de')).toBe('01.03.2026');
    expect(write({ type: 'date', grain: 'quarter' }, '2026-10-01', 'es')).toBe('T4 2026');
  });

  it('without a zone stay as they are', () => {
    expect(write({ type: 'datetime' }, '2026-03-01T08:30:00').replace('\u202f', ' ')).toBe('Mar 1, 2026, 8:30 AM');
  });

  it('of an instant are those of who reads them', () => {
    expect(write({ type: 'timestamp' }, '2026-03-01T12:00:00Z')).toContain('2026');
  });

  it.each(['-0044-03-15', '12026-01-01', 'tomorrow', '2026-99-99T08:00:00'])('%j stays a text', (value) => {
    expect([write({ type: 'date' }, value), write({ type: 'datetime' }, value)]).toEqual([value, value]);
  });

  it('stand on an axis by their milliseconds', () => {
    expect(timeMsOf('2026-03-01')).toBe(new Date(2026, 2, 1).getTime());
    expect(timeMsOf('2026-03-01T00:00:00Z')).toBe(Date.UTC(2026, 2, 1));
    expect([timeMsOf(null), timeMsOf('x'), timeMsOf('2026-99-99')]).toEqual([undefined, undefined, undefined]);
  });
});

it('other values', () => {
  expect([
    write({ type: 'boolean' }, true),
    write({ type: 'boolean' }, false),
    write({ type: 'boolean' }, null),
  ]).toEqual(['ja', 'nein', '']);
  expect([write({}, '<b>'), write({}, null), write({ type: 'time' }, '08:30:00')]).toEqual(['<b>', '', '08:30:00']);
});
