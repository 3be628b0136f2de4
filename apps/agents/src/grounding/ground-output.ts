/** The numbers of a structured output: each leaf is looked for as a number of the answer is. */
import type { GroundedFigure } from '@tessera/contracts/agents';
import type { JsonObject } from '../models/model.js';
import { groundAnswer, saysLess, type AnswerCheck, type AskedNumbers } from './ground-answer.js';
import type { ToldValues } from './told-values.js';

/** Leaves beyond are not looked at, and the check says so. */
const leavesMax = 10_000;
const pathMax = 200;

/** What names a member that counts. */
const countName = /(?:count|total|number|anzahl|summe|num)(?![a-z])/i;

/**
 * The unverified ones, each with the path of its member. `stated`: the figures of the text, which the output repeats; an
 * exact value may stand behind a rounded one.
 */
export const findUnverifiedOutput = (
  output: JsonObject,
  stated: readonly GroundedFigure[],
  told: ToldValues,
  asked: AskedNumbers,
): AnswerCheck => {
  const known = new Set(stated.flatMap(({ state, value }) => (state === 'unverified' ? [] : [Math.abs(value)])));
  const isKnown = (value: number, path: string): boolean =>
    known.has(Math.abs(value)) ||
    asked.values.has(value) ||
    told.find(value, halfOf(value), (each) => value < 0 || each.value >= 0 || saysLess(wordsOf(path))) !== undefined ||
    (countName.test(path.split('.').at(-1) ?? '') && told.findCount(value) !== undefined);
  const found: GroundedFigure[] = [];
  const addText = (text: string, path: string): void => {
    for (const { start: _start, end: _end, ...figure } of groundAnswer(text, told, asked).figures)
      if (figure.state === 'unverified' && !known.has(Math.abs(figure.value))) found.push({ ...figure, path });
  };
  const open: { readonly value: unknown; readonly path: string }[] = [{ value: output, path: '' }];
  let leaves = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (++leaves > leavesMax) return { figures: found.toReversed(), isCut: true };
    const { value, path } = at;
    if (typeof value === 'number' && !isKnown(value, path))
      found.push({ text: String(value), value, path, state: 'unverified', cells: [] });
    if (typeof value === 'string') addText(value, path);
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        const place = (path === '' ? name : `${path}.${name}`).slice(0, pathMax);
        // Such a name is a text of the model; others are those of the schema.
        if (/\s/.test(name)) addText(name, place);
        open.push({ value: inner, path: place });
      }
  }
  return { figures: found.toReversed(), isCut: false };
};

/** `netLoss` as words. */
const wordsOf = (path: string): string => path.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|[_.]/gu, ' ');

/** Half of the last digit that is written. */
const halfOf = (value: number): number => {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const decimals = (digits.split('.')[1] ?? '').length;
  return 0.5 * 10 ** (Number(exponent) - decimals);
};
