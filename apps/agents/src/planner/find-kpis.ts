/** The KPIs of a question: those it names, the one that counts what is counted, or one that it names in part. */
import type { Mention } from './mention.js';
import { partialKpi } from './partial-kpi.js';
import type { Kpi, Vocabulary } from './vocabulary.js';
import type { Word } from './words.js';

export type FoundKpis = { readonly kpis: readonly Kpi[]; readonly places: readonly number[] };

export const kpisOf = (
  words: readonly Word[],
  vocabulary: Vocabulary,
  mentions: readonly Mention[],
  { taken, isCount }: { readonly taken: ReadonlySet<number>; readonly isCount: boolean },
): FoundKpis => {
  const named = mentions.flatMap((mention) => (mention.kind === 'kpi' ? [mention] : []));
  // "Orders" beside another figure are what the figure is of.
  const strong = named.filter(({ isCount: counts }) => !counts);
  if (isCount) return { kpis: countedBy(words, vocabulary, taken), places: [] };
  if (strong.length > 0) return { kpis: uniqueKpis(strong.map(({ kpi }) => kpi)), places: [] };
  const records = mentions.flatMap((mention) => (mention.kind === 'record' ? [mention.record] : []));
  const ofRecords = new Set(mentions.flatMap(({ kind, places }) => (kind === 'record' ? places : [])));
  const fixed = new Set(mentions.flatMap((mention) => (isLoose(mention) ? [] : mention.places)));
  const part = partialKpi(words, vocabulary, records, (place) => !taken.has(place) && !fixed.has(place), ofRecords);
  if (part) return { kpis: [part.kpi], places: part.places };
  const counted = uniqueKpis(named.map(({ kpi }) => kpi));
  if (counted.length > 0) return { kpis: counted, places: [] };
  const asValue = new Set(mentions.flatMap((mention) => (mention.kind === 'field' ? [] : mention.places)));
  const over = partialKpi(words, vocabulary, records, (place) => !taken.has(place) && !asValue.has(place), ofRecords);
  if (over && over.share > mostOfIt) return { kpis: [over.kpi], places: over.places };
  const isGrouped = mentions.some(({ kind }) => kind === 'field') && mentions.some(({ kind }) => kind === 'filter');
  return { kpis: isGrouped ? countedBy(words, vocabulary, taken) : [], places: [] };
};

const mostOfIt = 0.66;

const uniqueKpis = (kpis: readonly Kpi[]): readonly Kpi[] => [...new Map(kpis.map((kpi) => [kpi.id, kpi])).values()];

/** Words of these may be of a KPI that is named in part. */
const isLoose = (mention: Mention): boolean =>
  mention.kind === 'record' ||
  (mention.kind === 'kpi' && mention.isCount) ||
  (mention.kind === 'field' && mention.options.every(({ type }) => type !== 'string'));

/** "How many blocked invoices": the KPI that counts what is named, also inside of the name of a filter. */
const countedBy = (words: readonly Word[], { kpis }: Vocabulary, taken: ReadonlySet<number>): readonly Kpi[] => {
  const has = (stem: string): boolean => words.some((word, place) => !taken.has(place) && word.stem === stem);
  const placeOf = (stem: string): number => words.findIndex((word, place) => !taken.has(place) && word.stem === stem);
  const counting = kpis.flatMap((kpi) =>
    kpi.variants.flatMap((stems) => {
      const counted = stems.filter((stem) => stem !== '~count');
      const counts = counted.length < stems.length || kpi.variants.some((each) => each.includes('~count'));
      return counts && counted.length > 0 && counted.every(has)
        ? [{ kpi, length: counted.length, place: Math.min(...counted.map(placeOf)) }]
        : [];
    }),
  );
  return counting
    .toSorted((left, right) => left.place - right.place || right.length - left.length)
    .slice(0, 1)
    .map(({ kpi }) => kpi);
};
