/** The shape of stored attributes, and the order of what is inside a value. Refuses: to know types. */
import type { AttributeValue } from '@tessera/contracts';

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
export const orderedCultures = (cultures: StoredAttributes[string]): StoredAttributes[string] => {
  for (const culture in cultures) {
    if (!Array.isArray(cultures[culture])) continue;
    return Object.fromEntries(Object.entries(cultures).map(([key, value]) => [key, orderedValue(value)]));
  }
  return cultures;
};
