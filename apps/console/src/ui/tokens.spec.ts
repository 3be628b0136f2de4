/** Contrast of the design tokens in both themes, by WCAG 2.2: 4.5 for text, 3 for borders of controls, marks and lines. */
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const colours = new Map(
  [...css.matchAll(/--color-([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
  ),
);

const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: string, other: string): number => {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
};

const grounds = ['canvas', 'surface', 'raised', 'hover'];
const pairs = (names: readonly string[], on: readonly string[]) =>
  names.flatMap((name) => on.map((ground) => [name, ground] as const));
const series = [1, 2, 3, 4, 5, 6].map((at) => `series-${at}`);

const texts = [
  ...pairs(['text', 'muted'], grounds),
  ...pairs(['accent', 'danger'], ['canvas', 'surface', 'raised']),
  ...pairs(['accent', 'text'], ['accent-soft']),
  ...pairs(['danger', 'text'], ['danger-soft']),
  ...pairs(['warning', 'text'], ['warning-soft']),
  ...pairs(['success', 'text'], ['success-soft']),
  ...pairs(['on-accent'], ['accent', 'accent-hover']),
  ...pairs(['on-danger'], ['danger']),
];
const marks = pairs(['control', 'focus', 'success', 'warning', ...series], ['canvas', 'surface', 'raised']);

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const of = (name: string): string => colours.get(name)?.[theme] ?? `no colour ${name}`;

  it.each(texts)('%s can be read on %s', (name, ground) => {
    expect(contrast(of(name), of(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(marks)('%s can be seen on %s', (name, ground) => {
    expect(contrast(of(name), of(ground))).toBeGreaterThanOrEqual(3);
  });
});

it('knows the contrast of black and white', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
});
