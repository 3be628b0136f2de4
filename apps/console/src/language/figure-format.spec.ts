import { expect, it } from '@jest/globals';
import { figureFormatOf, writeFigure, type FormatSource } from './figure-format.js';
import { formatsOf } from './formats.js';

it.each<[FormatSource, number, string, string]>([
  [{ format: '.1%' }, 0.0993, '9.9%', '9,9\u00a0%'],
  [{ format: ',.0f', unit: 'EUR' }, 11_367_752.86, '11,367,753\u00a0EUR', '11.367.753\u00a0EUR'],
  [{ format: '.1f', unit: 'days' }, 56.71, '56.7\u00a0days', '56,7\u00a0days'],
  [{ format: ',' }, 62_000, '62,000', '62.000'],
  [{}, 1.23456, '1.23', '1,23'],
  [{ unit: '%', format: '.1f' }, 3, '3%', '3\u00a0%'],
  [{ format: 'nonsense.99', unit: 'kg' }, 1, '1\u00a0kg', '1\u00a0kg'],
])('%j writes %d as %s', (source, value, english, german) => {
  const format = figureFormatOf(source);
  expect([writeFigure(value, format, formatsOf('en')), writeFigure(value, format, formatsOf('de'))]).toEqual([
    english,
    german,
  ]);
});

it('has more decimal places where the exact figure is wanted', () => {
  expect(writeFigure(0.0993, figureFormatOf({ format: '.1%' }, 2), formatsOf('en'))).toBe('9.93%');
  expect(figureFormatOf({ format: '.3f' }, 2).digits).toBe(3);
});
