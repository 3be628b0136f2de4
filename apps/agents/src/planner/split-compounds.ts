/** Splits German compounds into words of the model. */
import type { Vocabulary } from './vocabulary.js';
import { type Word, foldText, nameStems, stemOf } from './words.js';

/** `Lieferantenland`, `Maverickquote`: two words at one place. */
export const splitCompounds = (
  words: readonly Word[],
  { records, fields, kpis, filters }: Vocabulary,
): readonly Word[] => {
  const stems = new Set([...records, ...fields, ...kpis, ...filters].flatMap(({ variants }) => variants.flat()));
  return words.flatMap((word) =>
    stems.has(word.stem) ? [word] : (withoutTotal(word, stems) ?? partsOfCompound(word, stems) ?? [word]),
  );
};

/** `Gesamtausgaben` are `Ausgaben`. */
const withoutTotal = (word: Word, stems: ReadonlySet<string>): readonly Word[] | undefined => {
  const folded = word.folded.replace(/^gesamt/, '');
  const stem = stemOf(folded);
  return folded !== word.folded && stems.has(stem) ? [{ ...word, folded, stem }] : undefined;
};

const partMin = 4;

const partsOfCompound = (word: Word, stems: ReadonlySet<string>): readonly Word[] | undefined => {
  for (let end = partMin; end <= word.folded.length - partMin; end++) {
    const [left = ''] = nameStems(word.folded.slice(0, end));
    const [right = ''] = nameStems(word.folded.slice(end));
    if (stems.has(left) && stems.has(right) && left.length >= partMin - 1)
      return [
        { ...word, folded: foldText(word.folded.slice(0, end)), stem: left },
        { ...word, folded: foldText(word.folded.slice(end)), stem: right },
      ];
  }
  return undefined;
};
