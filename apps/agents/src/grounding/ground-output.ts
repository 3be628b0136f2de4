/** The numbers of a structured output: each leaf is looked for as a number of the answer is. */
import type { GroundedFigure } from '@tessera/contracts/agents';
import type { JsonObject } from '../models/model.js';
import { groundAnswer, type AskedNumbers } from './ground-answer.js';
import type { ToldValues } from './told-values.js';

/** Leaves beyond are not looked at; what fits a schema in bounded time has fewer. */
const leavesMax = 10_000;
const pathMax = 200;

/**
 * The unverified ones, each with the path of its member. `stated`: the figures of the text, which the output repeats; an
 * exact value may stand behind a rounded one.
 */
export const findUnverifiedOutput = (
  output: JsonObject,
  stated: readonly GroundedFigure[],
  told: ToldValues,
  asked: AskedNumbers,
): readonly GroundedFigure[] => {
  const known = new Set(stated.flatMap(({ state, value }) => (state === 'unverified' ? [] : [Math.abs(value)])));
  const isKnown = (value: number): boolean =>
    known.has(Math.abs(value)) ||
    asked.values.has(value) ||
    told.find(value, halfOf(value)) !== undefined ||
    told.findCount(value) !== undefined;
  const found: GroundedFigure[] = [];
  const open: { readonly value: unknown; readonly path: string }[] = [{ value: output, path: '' }];
  for (let at = open.pop(), leaves = 0; at !== undefined && leaves < leavesMax; at = open.pop(), leaves++) {
    const { value, path } = at;
    if (typeof value === 'number' && !isKnown(value))
      found.push({ text: String(value), value, path, state: 'unverified', cells: [] });
    if (typeof value === 'string')
      for (const { start: _start, end: _end, ...figure } of groundAnswer(value, told, asked).figures)
        if (figure.state === 'unverified' && !known.has(Math.abs(figure.value))) found.push({ ...figure, path });
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value))
        open.push({ value: inner, path: (path === '' ? name : `${path}.${name}`).slice(0, pathMax) });
  }
  return found.toReversed();
};

/** Half of the last digit that is written. */
const halfOf = (value: number): number => {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const decimals = (digits.split('.')[1] ?? '').length;
  return 0.5 * 10 ** (Number(exponent) - decimals);
};
