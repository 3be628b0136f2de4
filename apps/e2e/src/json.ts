/** Reads JSON documents of unknown shape; what is not there is undefined. */
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

/** The same where a list is expected; empty when it is none. */
export const itemsOf = (value: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const found = memberOf(value, ...path);
  return Array.isArray(found) ? found : [];
};

/** Names of an object's members in their order. */
export const memberNamesOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

/** Every text in the document with its member name; for a list, the list's member name. */
export const textsIn = (value: unknown, member = ''): readonly { readonly member: string; readonly text: string }[] => {
  if (typeof value === 'string') return [{ member, text: value }];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => textsIn(item, member));
  return memberNamesOf(value).flatMap((name) => textsIn(memberOf(value, name), name));
};
