/** Words of a question that matched nothing, and whether the question can be answered without them. */
import { isIgnoredWord, isCommonVerb } from './cues.js';
import type { Interpretation } from './interpretation.js';
import { nameStems, type Word } from './words.js';

/** They stand at most so many words before what they leave out. */
export const negations: ReadonlySet<string> = new Set(
  'not without no except excluding nicht ohne kein keine keinen keiner ausser lack lacks lacking missing'.split(' '),
);
export const maxNegationDistance = 3;

/** "On time" says something of the rows, "over time" does not. */
const punctualWords = new Set(['time', 'schedule', 'zeit']);
const onWords = new Set(['on', 'in', 'zur', 'rechter']);

const prepositions = new Set('in for of at from aus bei fur von im vom zu by per je nach pro plant werk'.split(' '));

/** What narrows a figure down, so that it is another one without it. */
const refiningWords = new Set('yesterday tomorrow gestern vorgestern morgen half halfte halbjahr'.split(' '));

export const findUnknownWords = (
  words: readonly Word[],
  known: ReadonlySet<number>,
  values: ReadonlySet<number>,
  text: string,
): Interpretation['unknown'] =>
  words
    .flatMap((word, place) => {
      if (!known.has(place) && negations.has(word.folded)) {
        const isRead = words
          .slice(place, place + maxNegationDistance + 1)
          .some((_, ahead) => values.has(place + ahead));
        return isRead ? [] : [{ text: word.text, isName: true }];
      }
      const isPunctual = punctualWords.has(word.folded) && onWords.has(words[place - 1]?.folded ?? '');
      if (!known.has(place) && isPunctual) return [{ text: word.text, isName: true }];
      if (!known.has(place) && refiningWords.has(word.folded)) return [{ text: word.text, isName: true }];
      if (
        known.has(place) ||
        isIgnoredWord(word) ||
        isCommonVerb(word) ||
        isConcept(word) ||
        word.folded.length < 2 ||
        isTimeWord(word)
      )
        return [];
      const before = words[place - 1]?.folded ?? '';
      const isCapital = /^\p{Lu}/u.test(word.text) && !/(?:^|[.!?]\s*)$/.test(text.slice(0, word.start));
      return [{ text: word.text, isName: isCapital || /\d/.test(word.text) || prepositions.has(before) }];
    })
    .toSorted((left, right) => Number(right.isName) - Number(left.isName));

/** "The rate of", "the value of" */
const isConcept = ({ stem }: Word): boolean => ['~rate', '~value', '~count'].includes(stem);

const timeWords = new Set(
  [
    'month',
    'months',
    'monthly',
    'Monat',
    'Monate',
    'monatlich',
    'time',
    'Zeit',
    'Zeitverlauf',
    'year',
    'quarter',
    'week',
    'day',
    'Jahr',
    'Quartal',
    'Woche',
    'Tag',
    'jährlich',
  ].flatMap(nameStems),
);
const isTimeWord = ({ stem }: Word): boolean => timeWords.has(stem);
