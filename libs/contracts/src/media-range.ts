/** Parses `Accept` into media ranges with parameters and weights; skips what it does not understand. */
import { parseHeaderParameter, splitOutsideQuotes } from './header-value.js';

export type MediaRange = {
  /** In lower case: a media type, `text/*` or a star for both. */
  readonly type: string;
  /** Without the quality; names in lower case. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** 0 (not welcome) to 1. */
  readonly quality: number;
};

const typePattern = /^[a-z0-9!#$&^_.+*-]{1,127}\/[a-z0-9!#$&^_.+*-]{1,127}$/;
const qualityPattern = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

export const parseMediaRanges = (accept: string): readonly MediaRange[] =>
  splitOutsideQuotes(accept, ',').flatMap((text) => parseMediaRange(text) ?? []);

export const parseMediaRange = (text: string): MediaRange | undefined => {
  const [type = '', ...rest] = splitOutsideQuotes(text, ';');
  const parameters = rest.filter((each) => each !== '').map(parseHeaderParameter);
  const [, quality = '1'] = parameters.find(([name]) => name === 'q') ?? [];
  if (!typePattern.test(type.toLowerCase()) || !qualityPattern.test(quality)) return undefined;
  return {
    type: type.toLowerCase(),
    parameters: parameters.filter(([name]) => name !== 'q'),
    quality: Number(quality),
  };
};

/**
 * How much a media type is welcome: what the most specific range that fits it says, and how specific that is (0 a star for
 * both, 1 for the half, 2 the type itself). Undefined when none fits.
 */
export const qualityOf = (
  mediaType: string,
  ranges: readonly MediaRange[],
): { readonly quality: number; readonly specificity: number } | undefined => {
  const [group = ''] = mediaType.split('/');
  const found = ['*/*', `${group}/*`, mediaType].map((name) => ranges.find(({ type }) => type === name));
  const specificity = found.findLastIndex((range) => range !== undefined);
  const quality = found[specificity]?.quality;
  return quality === undefined ? undefined : { quality, specificity };
};
