/** Whether an answer is right, by the figures and texts that it has to have. */
import type { EvaluationQuestion } from './evaluation-file.js';

export const verdicts = ['right', 'half', 'wrong', 'refused'] as const;
export type Verdict = (typeof verdicts)[number];

export type Truth = {
  readonly figures: readonly number[];
  readonly texts: readonly string[];
  readonly expects: EvaluationQuestion['expects'];
};

/**
 * `right`: all that has to be there is there. `half`: some of it, or it asks which of several readings is meant although one was. `refused`:
 * no figure at all. `wrong`: a figure, and none of the right ones.
 */
export const judgeAnswer = (answer: string, asked: readonly string[], { figures, texts, expects }: Truth): Verdict => {
  const isQuestion = /\?\s*$/.test(answer);
  const told = numbersIn(withoutQuestions(answer, asked));
  if (expects === 'refusal') return told.length === 0 || isQuestion ? 'right' : 'wrong';
  if (expects === 'question') return isQuestion ? 'right' : told.length === 0 ? 'refused' : 'half';
  const found = [
    ...figures.map((figure) => told.some((number) => isSameFigure(number, figure))),
    ...texts.map((text) => answer.toLowerCase().includes(text.toLowerCase())),
  ];
  const all = found.every(Boolean);
  if (all) return isQuestion ? 'half' : 'right';
  if (found.some(Boolean) && figures.some((figure) => told.some((number) => isSameFigure(number, figure))))
    return 'half';
  return told.length === 0 || isQuestion ? 'refused' : 'wrong';
};

/** What is only said again is no figure of the answer. */
const withoutQuestions = (answer: string, asked: readonly string[]): string =>
  asked.filter((question) => question.includes(' ')).reduce((text, question) => text.replaceAll(question, ''), answer);

/** As they may be written: `1,234.5`, `1.234,5`, `12 %` also as a part of one. */
const numbersIn = (text: string): readonly number[] =>
  [...text.matchAll(/(-?\d[\d.,]*\d|-?\d)(\s?%)?/g)].flatMap(([, digits = '', percent]) =>
    readings(digits).flatMap((number) => (percent === undefined ? [number] : [number / 100, number])),
  );

const readings = (digits: string): readonly number[] => {
  const english = Number(digits.replaceAll(',', ''));
  const german = Number(digits.replaceAll('.', '').replace(',', '.'));
  return [english, german].filter((number) => Number.isFinite(number));
};

/** Answers have two digits behind the point, of a rate two of its percents. */
const isSameFigure = (number: number, figure: number): boolean =>
  Math.abs(number - figure) <= (Math.abs(figure) <= 1 ? 0.000_05 : 0.005) * 1.000_1;
