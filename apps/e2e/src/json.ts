/**
 * Reads JSON documents of which nothing is known. Refuses: to fail on what is not there; that is undefined.
 */
export const parseJson = (text: string): unknown => JSON.parse(text);

/** The member at a path of names and positions. */
export const memberOf = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );

/** The same where a text is expected; empty when it is none. */
export const textOf = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = memberOf(value, ...path);
  return typeof found === 'string' ? found : '';
};

/** Names of an object's members in their order. */
export const namesOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

/** Every text that stands under one of these member names, wherever it is. */
export const textsUnder = (value: unknown, names: readonly string[], found = new Set<string>()): Set<string> => {
  if (Array.isArray(value)) value.forEach((item: unknown) => textsUnder(item, names, found));
  else
    for (const name of namesOf(value)) {
      const inner = memberOf(value, name);
      if (names.includes(name) && typeof inner === 'string') found.add(inner);
      else textsUnder(inner, names, found);
    }
  return found;
};
