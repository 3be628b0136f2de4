/** What the platform itself says about figures that no tool told: under an answer, in its place, and to the model. */
import type { GroundedFigure } from '@tessera/contracts/agents';
import type { AnswerCheck } from './ground-answer.js';
import { isGermanText } from './parse-number.js';

const namedMax = 20;
const nameCharactersMax = 40;

export const unverifiedIn = ({ figures }: Pick<AnswerCheck, 'figures'>): readonly GroundedFigure[] =>
  figures.filter(({ state }) => state === 'unverified');

/** Whether something in the answer is not known to be right. */
export const isUnverified = (check: AnswerCheck): boolean => check.isCut || unverifiedIn(check).length > 0;

/** Each text once, as it stands in the answer. */
const namesOf = (check: AnswerCheck): readonly string[] => [
  ...new Set(unverifiedIn(check).map(({ text }) => text.replaceAll(/\s+/g, ' ').slice(0, nameCharactersMax))),
];

const listOf = (check: AnswerCheck, more: (count: number) => string): string => {
  const names = namesOf(check);
  const left = names.length - namedMax;
  return [...names.slice(0, namedMax), ...(left > 0 ? [more(left)] : [])].join('; ');
};

/** The end of the text. */
export const formatMark = (check: AnswerCheck, answer: string): string => {
  const isGerman = isGermanText(answer);
  const list = listOf(check, (count) => (isGerman ? `und ${count} weitere` : `and ${count} more`));
  const cut = check.isCut
    ? isGerman
      ? 'alle Zahlen nach dem Teil, der gelesen wurde'
      : 'all numbers after the part that was read'
    : '';
  const what = [list, cut].filter((part) => part !== '').join('; ');
  return isGerman
    ? `(Nicht belegt: ${what}. Kein Werkzeug hat das in diesem Zug geantwortet.)`
    : `(Not verified: ${what}. No tool answered this in this turn.)`;
};

/** In place of the answer; the figures themselves are withheld. */
export const formatRefusal = (check: AnswerCheck, answer: string): string => {
  const count = unverifiedIn(check).length;
  return isGermanText(answer)
    ? `(Die Antwort wird zurückgehalten: ${count === 1 ? 'eine ihrer Zahlen hat' : `${count} ihrer Zahlen hat`} in diesem Zug kein Werkzeug geantwortet.)`
    : `(The answer is withheld: ${count === 1 ? 'one of its numbers was' : `${count} of its numbers were`} answered by no tool in this turn.)`;
};

/** What the model is told, once. */
export const formatFinding = (check: AnswerCheck): string =>
  `These numbers of your answer are not in what the tools answered in this turn: ${listOf(check, (count) => `and ${count} more`)}. Call a tool for them, or give the whole answer again without them. Sums and differences must name the figures that they are made of. Do not mention this message.`;
