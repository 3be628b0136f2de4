/**
 * `Accept` -> JSON or YAML. The most specific range that fits a media type says how much it is wanted; JSON when both are
 * wanted alike, and when nothing that is offered is.
 * Refuses: to fail. What is not understood is passed over.
 */
import { readMediaRanges, welcomeOf } from '@tessera/contracts';

type SpecFormat = 'json' | 'yaml';

/** In the order in which they are preferred; the latter are older names of YAML. */
const offered: readonly (readonly [string, SpecFormat])[] = [
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/x-yaml', 'yaml'],
  ['text/yaml', 'yaml'],
  ['text/x-yaml', 'yaml'],
];

export const chooseFormat = (accept: string | undefined): SpecFormat => {
  const ranges = readMediaRanges(accept ?? '');
  const rated = offered.map(([type, format]) => ({ format, quality: welcomeOf(type, ranges)?.quality ?? 0 }));
  const best = rated.reduce((most, next) => (next.quality > most.quality ? next : most));
  return best.quality > 0 ? best.format : 'json';
};
