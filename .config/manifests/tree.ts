/** Reads values of parsed YAML by path. What is absent or of another type is undefined or empty. */
type Key = string | number;

const isRecord = (value: unknown): value is Readonly<Record<Key, unknown>> =>
  typeof value === 'object' && value !== null;

export const at = (value: unknown, ...path: readonly Key[]): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);

export const textAt = (value: unknown, ...path: readonly Key[]): string | undefined => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
};

export const numberAt = (value: unknown, ...path: readonly Key[]): number | undefined => {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : undefined;
};

export const listAt = (value: unknown, ...path: readonly Key[]): readonly unknown[] => {
  const found: unknown = at(value, ...path);
  return Array.isArray(found) ? found : [];
};

export const entriesAt = (value: unknown, ...path: readonly Key[]): readonly (readonly [string, unknown])[] => {
  const found = at(value, ...path);
  return isRecord(found) && !Array.isArray(found) ? Object.entries(found) : [];
};

export const textsAt = (value: unknown, ...path: readonly Key[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entriesAt(value, ...path).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text] as const] : [])),
  );
