/** `2026-06-30 09:15` */
export const formatToMinute = (instant: string): string => instant.slice(0, 16).replace('T', ' ');

/** A day alone is the instant at which it begins; everything else stays as it is. */
export const toInstant = (given: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(given) ? `${given}T00:00:00Z` : given);

export const formatTable = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
