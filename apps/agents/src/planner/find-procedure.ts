/**
 * Which elements of the content repository say how something is done: those whose names have the words of the question, released
 * ones first. Refuses: to tell what stands in them; their addresses do.
 */
import { type Answer, joinText } from './answer.js';
import { isIgnored } from './cues.js';
import { type Json, isObject, objectsIn, textIn } from './json.js';
import type { Language } from './language.js';
import { phrases } from './phrases.js';
import { isNear, wordsOf } from './words.js';
import { plain } from './word-others.js';

const around = new Set(
  `done handled procedure procedures process prozess responsible charge accountable instruction instructions described documented work works run
performed executed way steps correctly new neue neuen neuer lauft geht gehe mache macht man funktioniert erfolgt gemacht verantwortlich zustandig
verfahren anleitung vorgehen arbeitsanweisung prozessbeschreibung beschrieben dokumentiert muss must need tun darf soll find finde finden steht`.split(
    /\s+/,
  ),
);

/** The words that say what is done. */
export const procedureQuery = (text: string): string => {
  const words = wordsOf(text).filter(
    (word) => (!isIgnored(word) || /^(?:order|orders|made)$/.test(word.folded)) && !around.has(word.folded),
  );
  return (words.length > 0 ? words.map((word) => word.text).join(' ') : text).slice(0, 500);
};

const cultures: Readonly<Record<Language, number>> = { en: 1033, de: 1031 };
const searched = 20;
const shownMax = 5;

export const contentArgs = (query: string, language: Language): Json => ({
  query,
  culture: cultures[language],
  limit: searched,
});

type Rated = { readonly element: Json; readonly share: number; readonly isReleased: boolean };

const guides = /process|document|activity|task|procedure|instruction/i;

export const wordProcedures = (query: string, question: string, value: unknown, language: Language): Answer => {
  const say = phrases[language];
  const asked = wordsOf(query);
  const asksWho = /\bwho\b|\bwer\b/iu.test(question);
  const rated = (isObject(value) ? objectsIn(value['elements']) : []).map((element): Rated => {
    const names = wordsOf(textIn(element, 'name'));
    const named = asked.filter(({ stem }) =>
      names.some((name) => isNear(name.stem, stem) || sharesBegin(name.stem, stem)),
    );
    const share = named.length / Math.max(1, asked.length) + (named.length === names.length ? 0.5 : 0);
    return { element, share, isReleased: textIn(element, 'state') === 'released' };
  });
  const fitting = rated.filter(
    ({ element, share }) =>
      share >= 0.5 && (guides.test(textIn(element, 'type')) || (asksWho && textIn(element, 'type') === 'role')),
  );
  const best = fitting.toSorted(
    (left, right) => Number(right.isReleased) - Number(left.isReleased) || right.share - left.share,
  );
  if (best.length === 0) return plain(say.noProcedure(query), language);
  const shown = best.slice(0, shownMax).map(({ element }) => element);
  const lines = shown.map(
    (element) =>
      `- ${say.element(textIn(element, 'name'), textIn(element, 'type'), textIn(element, 'state'), textIn(element, 'expandUri'))}`,
  );
  const text = joinText(
    say.procedure(query, best[0]?.isReleased === true),
    lines.join('\n'),
    asksWho ? say.responsible : undefined,
  );
  return plain(text, language, { rows: shown });
};

const beginMin = 5;
const sharesBegin = (left: string, right: string): boolean =>
  left.length >= beginMin && right.length >= beginMin && left.slice(0, beginMin) === right.slice(0, beginMin);
