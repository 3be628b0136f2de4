/** Names as the language of the question has them: those that the question uses, else synonyms that are German. */
import type { Language } from './language.js';
import type { NamedEntry, Vocabulary } from './vocabulary.js';
import { wordsOf } from './words.js';

const germanEnding =
  /(?:ung|ungen|keit|quote|wert|datum|betrag|nummer|menge|werk|standort|preis|gruppe|position|lieferant|rechnung|zahlung|eingang|einkauf|skonto|verlust|zeit|frist|stelle|anteil|umsatz|filiale|kanal|marge|land|kunde|einkäufer|abgleich)$/iu;

export const localiseNames = (vocabulary: Vocabulary, questions: readonly string[], language: Language): Vocabulary => {
  if (language !== 'de') return vocabulary;
  const said = new Set(questions.flatMap((text) => wordsOf(text).map(({ folded }) => folded)));
  const localise = <Entry extends NamedEntry>(entry: Entry): Entry => ({ ...entry, name: germanNameOf(entry, said) });
  const records = vocabulary.records.map((record) => {
    const name = germanNameOf(record, said);
    return { ...record, name, fields: record.fields.map((field) => ({ ...localise(field), recordName: name })) };
  });
  return {
    ...vocabulary,
    records,
    fields: records.flatMap(({ fields }) => fields),
    kpis: vocabulary.kpis.map(localise),
    filters: vocabulary.filters.map(localise),
  };
};

const germanNameOf = ({ name, texts }: NamedEntry, said: ReadonlySet<string>): string => {
  const synonyms = texts.slice(0, -1).filter((text) => text !== name);
  const used = synonyms.find((text) => wordsOf(text).every(({ folded }) => said.has(folded)));
  if (used !== undefined) return used;
  return synonyms.find((text) => /[äöüß]/iu.test(text) || germanEnding.test(text)) ?? name;
};
