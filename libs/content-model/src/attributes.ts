/**
 * Attribute values as they are stored and shown: attribute -> culture identifier -> value, 127 being language-neutral.
 */
import type { AttributeValue, AttributeValues } from '@tessera/contracts';
import { detailAddress } from './addresses.js';
import { systemAttributes } from './system-attributes.js';
import { findAttribute, type StorageModel, type TypeModel } from './storage-model.js';

/** "No end" of a date-time. */
export const endOfTime = '9999-12-31T00:00:00';

/** The values of a file with every attribute in its defined spelling and every value under its culture. */
export const toStoredAttributes = (type: TypeModel, given: AttributeValues = {}): StoredAttributes => {
  const named = new Map(Object.entries(given).map(([name, value]) => [findAttribute(type, name)?.name ?? name, value]));
  if (named.size === 0) return {};
  const known = type.attributes.flatMap(({ name }) => (named.has(name) ? [name] : []));
  const stored: Record<string, StoredAttributes[string]> = {};
  for (const name of new Set([...known, ...named.keys()])) {
    const value = named.get(name);
    if (value !== undefined) stored[name] = valuesByCulture(value);
  }
  return stored;
};

const valuesByCulture = (value: AttributeValues[string]): StoredAttributes[string] =>
  sortCultures(typeof value === 'object' && !Array.isArray(value) ? value : { [neutralCulture]: value });

type VersionFacts = {
  readonly elementId: string;
  readonly versionId: string;
  readonly major: number;
  readonly minor: number;
  readonly state: string;
  readonly createdAt: Date;
  readonly changedAt: Date;
};

/** The given values and, where they say nothing, those that the server keeps; what only the server may say is overwritten. */
export const fillAttributes = (
  storage: StorageModel,
  type: TypeModel,
  given: StoredAttributes,
  facts: VersionFacts,
): StoredAttributes => {
  const neutral = (value: AttributeValue) => ({ [neutralCulture]: value });
  return {
    ...given,
    createdOn: given['createdOn'] ?? neutral(formatDateTime(facts.createdAt)),
    changedOn: given['changedOn'] ?? neutral(formatDateTime(facts.changedAt)),
    state1: neutral(facts.state),
    gotoUrl: neutral(detailAddress(storage, type.facet, type.versioned ? facts.versionId : facts.elementId)),
    ...(type.versioned && {
      version: neutral(`${facts.major}.${facts.minor}`),
      majorVersion: neutral(facts.major),
      minorVersion: neutral(facts.minor),
      isReleased: neutral(facts.state === 'released'),
    }),
  };
};

/** What a file would have to give so that filling it answers `stored` again. */
export const omitComputedAttributes = (
  stored: StoredAttributes,
  facts: Pick<VersionFacts, 'createdAt' | 'changedAt'>,
): StoredAttributes =>
  Object.fromEntries(
    Object.entries(stored).filter(([name, cultures]) => {
      if (computedNames.has(name)) return false;
      if (name === 'createdOn') return cultures[neutralCulture] !== formatDateTime(facts.createdAt);
      if (name === 'changedOn') return cultures[neutralCulture] !== formatDateTime(facts.changedAt);
      return true;
    }),
  );

/** Values as a file says them: a language-neutral value stands alone. */
export const toDocumentAttributes = (type: TypeModel | undefined, stored: StoredAttributes): AttributeValues => {
  const known = (type?.attributes ?? []).map(({ name }) => name).filter((name) => stored[name] !== undefined);
  const order = new Set([...known, ...Object.keys(stored).sort()]);
  return Object.fromEntries(
    [...order].map((name) => {
      const cultures = sortCultures(stored[name] ?? {});
      const neutral = cultures[neutralCulture];
      return [name, neutral !== undefined && Object.keys(cultures).length === 1 ? neutral : { ...cultures }];
    }),
  );
};

/** ISO date-time in UTC without zone, with milliseconds only when there are some. */
export const formatDateTime = (instant: Date): string => instant.toISOString().replace(/(\.000)?Z$/, '');

const computedNames: ReadonlySet<string> = new Set(
  systemAttributes.filter(({ given }) => !given).map(({ name }) => name),
);

export type StoredAttributes = Readonly<Record<string, Readonly<Record<string, AttributeValue>>>>;

/** The culture key of values that are the same in every language. */
export const neutralCulture = '127';

/** Members of files and links in the order of their schema; jsonb keeps none. */
const orderedValue = (value: AttributeValue): AttributeValue =>
  Array.isArray(value)
    ? value.map(({ title, name, url, mediaType, sizeBytes }) => ({
        ...(title !== undefined && { title }),
        ...(name !== undefined && { name }),
        url,
        ...(mediaType !== undefined && { mediaType }),
        ...(sizeBytes !== undefined && { sizeBytes }),
      }))
    : value;

/** The same for the values of all cultures; what has no list is answered as it is. */
export const sortCultures = (cultures: StoredAttributes[string]): StoredAttributes[string] => {
  for (const culture in cultures) {
    if (!Array.isArray(cultures[culture])) continue;
    return Object.fromEntries(Object.entries(cultures).map(([key, value]) => [key, orderedValue(value)]));
  }
  return cultures;
};
