/** Detects the language of a question: German, otherwise English. */
import { foldText } from './words.js';

export type Language = 'en' | 'de';

const germanWords: ReadonlySet<string> = new Set(
  'der die das und oder ist sind wie viel viele welche welcher welches welchem welchen nach je pro im in_der mit fur von zum zur nicht warum wann wo wer was bei seit gegen am heute gestern hat haben gibt den dem ein eine einen wird werden lauft uber zwischen bis vor nur mehr als hoch hochste hochsten letzten letztes zeige nenne bitte werk lieferant lieferanten bestellungen rechnungen skonto monat jahr quartal danke hallo hilfe kannst du ich man'.split(
    ' ',
  ),
);
const englishWords: ReadonlySet<string> = new Set(
  'the of and or is are how much many which what by per in_the with for from to not why when where who at since has have there a an does do between until before only more than high highest last show list please plant supplier suppliers orders invoices discount month year quarter thanks hello help can you i'.split(
    ' ',
  ),
);

/** `before`: the language of what was asked before; it decides when the words do not. */
export const detectLanguage = (text: string, before: Language = 'en'): Language => {
  const words = foldText(text).match(/\p{L}+/gu) ?? [];
  const score = words.reduce(
    (sum, word) => sum + (germanWords.has(word) ? 1 : 0) - (englishWords.has(word) ? 1 : 0),
    0,
  );
  const marks = /[äöüß]/iu.test(text) ? 1 : 0;
  if (score + marks === 0) return before;
  return score + marks > 0 ? 'de' : 'en';
};
