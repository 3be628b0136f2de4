/**
 * Finds elements of the content repository that describe a procedure: those whose names share the words of the question,
 * released ones first.
 */
import { type Answer, joinParagraphs } from './answer.js';
import { isIgnoredWord } from './cues.js';
import { type JsonObject, isObject, filterObjects, getText } from './json.js';
import type { Language } from './language.js';
import { phrases } from './phrases.js';
import { isSimilar, type Word, wordsOf } from './words.js';
import { createPlainAnswer } from './render-answers.js';

const fillerWords = new Set(
  `done handled procedure procedures process prozess responsible charge accountable instruction instructions described documented work works run
performed executed way steps correctly resolved created checked new neue neuen neuer lauft geht gehe mache macht man funktioniert erfolgt gemacht verantwortlich zustandig
verfahren anleitung vorgehen arbeitsanweisung prozessbeschreibung beschrieben dokumentiert muss must need tun darf soll find finde finden steht`.split(
    /\s+/,
  ),
);

/** The words that say what is done. */
export const toProcedureQuery = (text: string): string => {
  const words = wordsOf(text).filter(
    (word) => (!isIgnoredWord(word) || /^(?:order|orders|made)$/.test(word.folded)) && !fillerWords.has(word.folded),
  );
  return (words.length > 0 ? words.map((word) => word.text).join(' ') : text).slice(0, 500);
};

const cultures: Readonly<Record<Language, number>> = { en: 1033, de: 1031 };
const searchLimit = 20;
const shownMax = 5;

export const buildContentSearchArgs = (query: string, language: Language): JsonObject => ({
  query,
  culture: cultures[language],
  limit: searchLimit,
});

type RatedElement = {
  readonly element: JsonObject;
  readonly share: number;
  readonly isReleased: boolean;
  readonly rank: number;
};

/** Types of what says how, the most telling first. */
const guideTypes: readonly string[] = ['process', 'document', 'activity', 'task', 'procedure', 'processGroup'];

/** The part of the words that a name has; a word that is made of the whole name counts for all of it. */
const shareOf = (queryWords: readonly Word[], names: readonly Word[]): number => {
  const named = queryWords.filter((word) => names.some((name) => hasSimilarName(name, word)));
  const matched = names.filter((name) =>
    queryWords.some((word) => hasSimilarName(name, word) || (name.stem.length >= 4 && word.folded.includes(name.stem))),
  );
  return (
    Math.max(named.length / Math.max(1, queryWords.length), matched.length / Math.max(1, names.length)) +
    (matched.length === names.length ? 0.5 : 0)
  );
};

const hasSimilarName = (left: Word, right: Word): boolean =>
  isSimilar(left.stem, right.stem) ||
  sharesBegin(left.stem, right.stem) ||
  sharesBegin(left.stem, right.stem.replace(/^ge/, ''));

export const renderProcedures = (query: string, question: string, value: unknown, language: Language): Answer => {
  const say = phrases[language];
  const queryWords = wordsOf(query);
  const asksWho = /\bwho\b|\bwer\b/iu.test(question);
  const elements = isObject(value) ? filterObjects(value['elements']) : [];
  const rated = elements.map((element): RatedElement => ({
    element,
    share: shareOf(queryWords, wordsOf(getText(element, 'name'))),
    isReleased: getText(element, 'state') === 'released',
    rank: guideTypes.indexOf(getText(element, 'type')),
  }));
  const fitting = rated.filter(
    ({ element, share, rank }) =>
      share > (queryWords.length > 1 ? 0.5 : 0.49) && (rank >= 0 || (asksWho && getText(element, 'type') === 'role')),
  );
  const most = Math.max(0, ...fitting.map(({ share }) => share));
  const isClose = ({ share, isReleased }: RatedElement): boolean => isReleased && share >= most * 0.6;
  const best = fitting.toSorted(
    (left, right) =>
      Number(isClose(right)) - Number(isClose(left)) || right.share - left.share || left.rank - right.rank,
  );
  if (best.length === 0) return createPlainAnswer(say.noProcedure(query), language);
  const shown = best.slice(0, shownMax).map(({ element }) => element);
  const lines = shown.map((element) => {
    const line = `- ${say.element(getText(element, 'name'), getText(element, 'type'), getText(element, 'state'), getText(element, 'expandUri'))}`;
    const people = responsibleOf(element);
    return people === '' ? line : `${line} – ${people}`;
  });
  const text = joinParagraphs(
    say.procedure(
      query,
      shown.some((element) => getText(element, 'state') === 'released'),
    ),
    lines.join('\n'),
    asksWho && shown.every((element) => responsibleOf(element) === '') ? say.responsible : undefined,
  );
  return createPlainAnswer(text, language, { rows: shown });
};

/** Roles and people by their relation: `executes: Buyer; owner: Paula Lindt`. */
const responsibleOf = (element: JsonObject): string =>
  [...Map.groupBy(filterObjects(element['responsible']), (each) => getText(each, 'relation'))]
    .map(([relation, of]) => `${relation}: ${of.map((each) => getText(each, 'name')).join(', ')}`)
    .join('; ');

const beginMin = 4;
const sharesBegin = (left: string, right: string): boolean =>
  left.length >= beginMin && right.length >= beginMin && left.slice(0, beginMin) === right.slice(0, beginMin);
