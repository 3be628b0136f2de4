/** The KPIs of a question: those it names, the one that counts what is counted, or one that it names in part. */
import { type Mention, isCountKpi } from './mention.js';
import type { Kpi, RecordEntry, Vocabulary } from './vocabulary.js';
import { type Word, isSimilar } from './words.js';

type KpiMatches = { readonly kpis: readonly Kpi[]; readonly places: readonly number[] };

export const findKpis = (
  words: readonly Word[],
  vocabulary: Vocabulary,
  mentions: readonly Mention[],
  { taken, asksLateness }: { readonly taken: ReadonlySet<number>; readonly asksLateness: boolean },
): KpiMatches => {
  const named = mentions.flatMap((mention) => (mention.kind === 'kpi' ? [mention] : []));
  // "Orders" beside another figure are what the figure is of.
  const strong = named.filter(({ isCount: counts }) => !counts);
  if (strong.length > 0) return { kpis: uniqueKpis(strong.map(({ kpi }) => kpi)), places: [] };
  const records = mentions.flatMap((mention) => (mention.kind === 'record' ? [mention.record] : []));
  const ofRecords = new Set(mentions.flatMap(({ kind, places }) => (kind === 'record' ? places : [])));
  const fixed = new Set(
    mentions.flatMap((mention) => (isLooseMatch(mention) || (asksLateness && isFlag(mention)) ? [] : mention.places)),
  );
  const part = findPartlyNamedKpi(
    words,
    vocabulary,
    records,
    (place) => !taken.has(place) && !fixed.has(place),
    ofRecords,
  );
  if (part) return { kpis: [part.kpi], places: part.places };
  const counted = uniqueKpis(named.map(({ kpi }) => kpi));
  if (counted.length > 0) return { kpis: counted, places: [] };
  const asValue = new Set(
    mentions.flatMap((mention) => (isExactNumber(mention) || mention.kind !== 'field' ? mention.places : [])),
  );
  const over = findPartlyNamedKpi(
    words,
    vocabulary,
    records,
    (place) => !taken.has(place) && !asValue.has(place),
    ofRecords,
  );
  if (over && over.share > nameShareMin) return { kpis: [over.kpi], places: over.places };
  return { kpis: [], places: [] };
};

const nameShareMin = 0.66;

const uniqueKpis = (kpis: readonly Kpi[]): readonly Kpi[] => [...new Map(kpis.map((kpi) => [kpi.id, kpi])).values()];

/** "Lead time" is the field of that name, whatever KPI has these words, too. */
const isExactNumber = (mention: Mention): boolean =>
  mention.kind === 'field' && mention.places.length > 1 && mention.options.every(({ type }) => type !== 'string');

const isFlag = (mention: Mention): boolean =>
  mention.kind === 'condition' && mention.options.every(({ value }) => value === true);

/** Words of these may be of a KPI that is named in part. */
const isLooseMatch = (mention: Mention): boolean =>
  mention.kind === 'record' ||
  (mention.kind === 'kpi' && mention.isCount) ||
  (mention.kind === 'field' && mention.places.length < 2 && mention.options.every(({ type }) => type !== 'string'));

type PartialKpiMatch = { readonly kpi: Kpi; readonly places: readonly number[]; readonly share: number };

/** Of a KPI that is only named in part, by a word that no other has, or by most of its words. */
const findPartlyNamedKpi = (
  words: readonly Word[],
  { kpis, records: all }: Vocabulary,
  records: readonly RecordEntry[],
  isFree: (place: number) => boolean,
  /** What is only the name of a record says nothing of a figure over it. */
  ofRecords: ReadonlySet<number>,
): PartialKpiMatch | undefined => {
  const namesOfRecords = new Set(
    all.flatMap(({ variants }) => variants.flatMap((stems) => (stems.length === 1 ? stems : []))),
  );
  const owners = new Map<string, Set<string>>();
  for (const { id, variants } of kpis)
    for (const stem of variants.flat()) owners.set(stem, (owners.get(stem) ?? new Set()).add(id));
  /** "The amount of invoices" says nothing of duplicate ones. */
  const isOfAny = (stem: string): boolean => stem === '~value' || namesOfRecords.has(stem);
  const found = kpis
    .filter((kpi) => !isCountKpi(kpi))
    .flatMap((kpi) =>
      kpi.variants.flatMap((stems) => {
        const places = words.flatMap(({ stem }, place) =>
          isFree(place) && stems.some((each) => isSimilar(stem, each)) ? [place] : [],
        );
        const distinct = new Set(places.map((place) => words[place]?.stem));
        const isLate = distinct.has('~late') && records.some(({ id }) => id === kpi.records[0]);
        const tells = places.some((place) => !ofRecords.has(place) && !isOfAny(words[place]?.stem ?? ''));
        const isOwn = stems.some((stem) => owners.get(stem)?.size === 1 && !stem.startsWith('~') && distinct.has(stem));
        const share = Math.min(1, distinct.size / stems.length) + (isLate ? 1 : 0);
        return isLate || (tells && isOwn && share >= 0.5) || (tells && share > 0.66) ? [{ kpi, places, share }] : [];
      }),
    );
  return found.toSorted((left, right) => right.share - left.share)[0];
};
