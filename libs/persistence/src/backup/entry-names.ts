export const manifestName = 'manifest.json';
export const endingName = 'end.json';

/** Of rows; what is held in memory at a time. */
export const entryBytesMax = 1024 * 1024;
/** Thousands of teams, or thousands of tables with hundreds of columns. */
export const jsonBytesMax = 64 * 1024 * 1024;

export const partEntryName = (part: number, entry: number): string => `rows/${part}/${entry}`;

/** The numbers in a name; undefined for the two other entries. */
export const partEntryOf = (name: string): { readonly part: number; readonly entry: number } | undefined => {
  const [, part, entry] = /^rows\/(0|[1-9]\d{0,8})\/(0|[1-9]\d{0,8})$/.exec(name) ?? [];
  return part === undefined || entry === undefined ? undefined : { part: Number(part), entry: Number(entry) };
};

/** Undefined for a name that no entry has. */
export const sizeMaxOf = (name: string): number | undefined => {
  if (name === manifestName || name === endingName) return jsonBytesMax;
  return partEntryOf(name) && entryBytesMax;
};
