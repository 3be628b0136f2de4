/**
 * `Accept` -> JSON or YAML. The most specific range that fits a media type says how much it is wanted; JSON when both are
 * wanted alike, and when nothing that is offered is.
 * Refuses: to fail. What is not understood is passed over.
 */
export type SpecFormat = 'json' | 'yaml';

/** In the order in which they are preferred; the latter are older names of YAML. */
const offered: readonly (readonly [string, SpecFormat])[] = [
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/x-yaml', 'yaml'],
  ['text/yaml', 'yaml'],
  ['text/x-yaml', 'yaml'],
];

type Range = { readonly type: string; readonly quality: number };

export const chooseFormat = (accept: string | undefined): SpecFormat => {
  const ranges = (accept ?? '').split(',').flatMap(readRange);
  const rated = offered.map(([type, format]) => ({ format, quality: qualityOf(type, ranges) }));
  const best = rated.reduce((most, next) => (next.quality > most.quality ? next : most));
  return best.quality > 0 ? best.format : 'json';
};

const readRange = (text: string): readonly Range[] => {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? [{ type, quality: Number(quality) }] : [];
};

const qualityOf = (type: string, ranges: readonly Range[]): number => {
  const [group] = type.split('/');
  const fitting = [type, `${group}/*`, '*/*'].map((range) => ranges.find((each) => each.type === range));
  return fitting.find((range) => range !== undefined)?.quality ?? 0;
};
