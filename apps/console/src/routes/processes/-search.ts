/** What the addresses of this area hold. Who types one may write anything: what is not understood is left out. */
import { readMoment } from '../../features/processes/moments.js';
import {
  elementTabs,
  type ElementSearch,
  type StorageSearch,
  type ViewpointSearch,
} from '../../features/processes/place.js';

type Search = Readonly<Record<string, unknown>>;

const lengthMax = 8_000;

/** A text that looks like a number comes as one. */
const textAt = (search: Search, name: string): string | undefined => {
  const value = search[name];
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= lengthMax ? text : undefined;
};

const readViewpoint = (search: Search): ViewpointSearch => {
  const culture = Number(search['culture']);
  const at = readMoment(search['at']);
  return {
    ...(Number.isInteger(culture) && culture > 0 && culture <= 65_535 && { culture }),
    ...(at !== undefined && { at }),
  };
};

const textsAt = <Name extends string>(search: Search, names: readonly Name[]): { readonly [Key in Name]?: string } => {
  const found: { [Key in Name]?: string } = {};
  for (const name of names) {
    const text = textAt(search, name);
    if (text !== undefined) found[name] = text;
  }
  return found;
};

export const readStorageSearch = (search: Search): StorageSearch => ({
  ...readViewpoint(search),
  ...textsAt(search, ['facet', 'view', 'open', 'find']),
});

export const readElementSearch = (search: Search): ElementSearch => {
  const tab = elementTabs.find((each) => each === search['tab']);
  return {
    ...readViewpoint(search),
    ...textsAt(search, ['version', 'from', 'to', 'model']),
    ...(tab !== undefined && { tab }),
  };
};
