/**
 * Names of a model -> those that a term may mean: by their own words, with the words of their record beside them, by a
 * word made of both, by descriptions. Never finds what the caller does not see; it is not in the index.
 */
import { columnTypes } from '@tessera/contracts/knowledge-models';
import type { CallerView } from '../query/caller-view.js';
import { wordsOf } from './fold-text.js';
import { type NamedEntry, type NameIndex, getNameIndex } from './name-index.js';
import { type ScoredHit, minScore } from './scored-hit.js';
import { wordCoverage } from './text-index.js';

/** How much less it says that a text fits. */
const weights = { record: 0.9, withRecord: 0.97, compound: 0.95, telling: 0.8, description: 0.6 } as const;
/** A word of the field's own has to be there beside those of its record. */
const ownMin = 0.6;
/** Descriptions have many words; only those that are clearly meant count. */
const describedMin = 0.85;
const strongScore = 0.9;
/** Long terms are said in words that stand apart. */
const compoundsMax = 3;
const readingsMax = 12;
const questionWeight = 0.03;
const placeWeight = 0.01;

/** `question`: what the terms are from; what it names as well comes before what fits equally. */
export const createNameSearch = (view: CallerView, question: string): ((term: string) => readonly ScoredHit[]) => {
  const index = getNameIndex(view);
  const named = entriesNamed(index, wordsOf(question));
  return (term) => searchTerm(index, wordsOf(term), named);
};

const searchTerm = (index: NameIndex, asked: readonly string[], named: NamedEntries): readonly ScoredHit[] => {
  if (asked.length === 0) return [];
  const scores = scoresOf(index, asked);
  if (Math.max(0, ...scores.values()) < strongScore)
    for (const words of compoundsIn(index, asked))
      for (const [entry, score] of scoresOf(index, words)) raiseScore(scores, entry, score * weights.compound);
  addDescribed(index, asked, scores);
  addTelling(index, scores);
  const besides = [...named].flatMap(([word, entries]) => (asked.includes(word) ? [] : [entries]));
  const isMeant = (entry: number): boolean => besides.some((entries) => entries.has(entry));
  return [...scores].flatMap(([number, score]) => {
    const entry = index.entries[number];
    if (!entry || score < minScore) return [];
    // The supplier of an invoice is called as the record is; what tells suppliers apart is that of the record itself.
    const ofRecord = entry.kind === 'field' ? (scores.get(entry.record) ?? 0) : 0;
    const isPreferred = isMeant(number) || (entry.kind === 'field' && isMeant(entry.record));
    return hitOf(entry, score + (isPreferred ? questionWeight : 0) + (ofRecord >= score ? placeWeight : 0));
  });
};

type Scores = Map<number, number>;

const raiseScore = (scores: Scores, entry: number, score: number): void =>
  void scores.set(entry, Math.max(scores.get(entry) ?? 0, score));

/** By entry, records among them. */
const scoresOf = ({ entries, names, entryOfName }: NameIndex, asked: readonly string[]): Scores => {
  const scores: Scores = new Map();
  const similarities = new Map<number, readonly number[]>();
  for (const [text, match] of names.match(asked)) {
    const entry = entryOfName[text] ?? -1;
    raiseScore(scores, entry, match.score);
    // A record that is called so stands before one that has the word somewhere in its names.
    const factor = entries[entry]?.kind === 'record' ? match.closeness ** 2 : 1;
    const ofText = match.similarities.map((similarity) => similarity * factor);
    similarities.set(entry, bestOf(ofText, similarities.get(entry)));
  }
  for (const [number, own] of similarities) {
    const entry = entries[number];
    const ofRecord = entry?.kind === 'field' ? similarities.get(entry.record) : undefined;
    if (!ofRecord || Math.max(...own) < ownMin) continue;
    const both = bestOf(
      own,
      ofRecord.map((similarity) => similarity * weights.record),
    );
    // Words that both have in common say nothing of the field.
    if (own.some((similarity, place) => similarity >= ownMin && similarity > (ofRecord[place] ?? 0)))
      raiseScore(scores, number, wordCoverage(asked, both) * weights.withRecord);
  }
  return scores;
};

const bestOf = (left: readonly number[], right: readonly number[] = []): readonly number[] =>
  left.map((similarity, place) => Math.max(similarity, right[place] ?? 0));

const compoundsIn = ({ names }: NameIndex, asked: readonly string[]): readonly (readonly string[])[] =>
  asked.length > compoundsMax
    ? []
    : asked
        .flatMap((word, place) =>
          splitCompound(word, (part) => names.hasWord(part)).map((pair) => asked.toSpliced(place, 1, ...pair)),
        )
        .slice(0, readingsMax);

const addDescribed = ({ descriptions, entryOfDescription }: NameIndex, asked: readonly string[], scores: Scores) => {
  for (const [text, { similarities }] of descriptions.match(asked)) {
    const clear = similarities.map((similarity) => (similarity >= describedMin ? similarity : 0));
    raiseScore(scores, entryOfDescription[text] ?? -1, wordCoverage(asked, clear) * weights.description);
  }
};

/** Who names a record means the fields that tell which row of it is which. */
const addTelling = ({ tellingFields }: NameIndex, scores: Scores): void => {
  for (const [number, score] of [...scores])
    (tellingFields.get(number) ?? []).forEach((field, place) =>
      raiseScore(scores, field, score * (weights.telling - place * placeWeight)),
    );
};

type NamedEntries = ReadonlyMap<string, ReadonlySet<number>>;

/** By word of the question. */
const entriesNamed = ({ names, entryOfName }: NameIndex, words: readonly string[]): NamedEntries =>
  new Map(
    words.map((word) => {
      const texts = [...names.match([word])].filter(([, { similarities }]) => (similarities[0] ?? 0) >= strongScore);
      return [word, new Set(texts.map(([text]) => entryOfName[text] ?? -1))];
    }),
  );

const hitOf = (entry: NamedEntry, score: number): readonly ScoredHit[] => {
  switch (entry.kind) {
    case 'record':
      return [];
    case 'field':
    case 'kpi': {
      const { id, name, type } = entry.column;
      const isKpi = entry.kind === 'kpi';
      const record = isKpi ? '' : entry.recordName;
      const shown = { id, display_name: name, record_display_name: record, column_type: columnTypes[type] };
      return [{ score, hit: { ...shown, entity_type: isKpi ? 'Kpi' : 'Attribute' } }];
    }
    case 'filter': {
      const { id, name } = entry.filter;
      const shown = { id, display_name: name, record_display_name: '', column_type: '' };
      return [{ score, hit: { ...shown, entity_type: 'Filter' } }];
    }
  }
};

/** What German puts between two words; folded, as words are. */
const compoundLinks = ['', 'en', 'es', 'er', 'n', 's', 'e'];
const partMin = 3;
const compoundMin = 7;
const pairsMax = 8;

export const splitCompound = (
  word: string,
  isKnown: (part: string) => boolean,
): readonly (readonly [string, string])[] => {
  if (word.length < compoundMin) return [];
  const pairs: (readonly [string, string])[] = [];
  // The longest known part first: it explains most of the word.
  for (let length = word.length - partMin; length >= partMin && pairs.length < pairsMax; length--) {
    const [front, back] = [word.slice(0, length), word.slice(-length)];
    if (isKnown(front)) pairs.push(...remaindersAfter(word.slice(length)).map((rest) => [front, rest] as const));
    if (isKnown(back)) pairs.push(...remaindersBefore(word.slice(0, -length)).map((rest) => [rest, back] as const));
  }
  return pairs.slice(0, pairsMax);
};

const remaindersAfter = (text: string): readonly string[] =>
  compoundLinks
    .filter((link) => text.startsWith(link) && text.length - link.length >= partMin)
    .map((link) => text.slice(link.length));

const remaindersBefore = (text: string): readonly string[] =>
  compoundLinks
    .filter((link) => text.endsWith(link) && text.length - link.length >= partMin)
    .map((link) => text.slice(0, text.length - link.length));
