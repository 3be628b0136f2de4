/** Finds KPIs that are named in part, unless other KPIs share that part. */
import { isCountKpi } from './mention.js';
import type { Kpi, RecordEntry, Vocabulary } from './vocabulary.js';
import { isSimilar, type Word } from './words.js';

export type PartialKpi = { readonly kpi: Kpi; readonly places: readonly number[]; readonly share: number };

/** Of a KPI that is only named in part, by a word that no other has, or by most of its words. */
export const partialKpi = (
  words: readonly Word[],
  { kpis, records: all }: Vocabulary,
  records: readonly RecordEntry[],
  isFree: (place: number) => boolean,
  /** What is only the name of a record says nothing of a figure over it. */
  ofRecords: ReadonlySet<number> = new Set(),
): PartialKpi | undefined => {
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
