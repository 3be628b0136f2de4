/** Where values stand in a chart. Pure; values that are no numbers stand nowhere. */

export type Span = { readonly from: number; readonly to: number };

/** From the smallest to the largest, with zero, which bars begin at. */
export const domainWithZero = (values: readonly number[]): Span => {
  const finite = values.filter(Number.isFinite);
  const [from, to] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  return from === to ? { from, to: from + 1 } : { from, to };
};

/** Begin and length of the bar of a value, in percent of the width. */
export const barOf = (value: number, { from, to }: Span): { readonly start: number; readonly length: number } => {
  const at = (number: number): number => ((number - from) / (to - from)) * 100;
  if (!Number.isFinite(value)) return { start: at(0), length: 0 };
  return { start: at(Math.min(0, value)), length: Math.abs(at(value) - at(0)) };
};

type Point = number | null;

/**
 * A line through the values, left to right, in a box; null makes a gap. Answers the `d` of an SVG path, empty when there is nothing
 * to draw. A value with no neighbour is a short dash.
 */
export const linePath = (values: readonly Point[], width: number, height: number): string => {
  const finite = values.filter((value) => value !== null).filter(Number.isFinite);
  if (finite.length === 0) return '';
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const place = (value: number, at: number): string => {
    const y = most === least ? height / 2 : height - ((value - least) / (most - least)) * height;
    return `${round(at * step)} ${round(y)}`;
  };
  const isThere = (value: Point | undefined): value is number => typeof value === 'number' && Number.isFinite(value);
  return values
    .flatMap((value, at) => {
      if (!isThere(value)) return [];
      const continues = at > 0 && isThere(values[at - 1]);
      const isAlone = !continues && !isThere(values[at + 1]);
      return [`${continues ? 'L' : 'M'}${place(value, at)}${isAlone ? 'h1' : ''}`];
    })
    .join('');
};

const round = (value: number): number => Math.round(value * 100) / 100;
