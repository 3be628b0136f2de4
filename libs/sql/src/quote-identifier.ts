/** The one place where a name becomes SQL. Refuses: names that PostgreSQL could not hold. */
export const quoteIdentifier = (name: string): string => {
  if (name === '' || name.includes('\0')) throw new Error('An identifier is not empty and has no character U+0000.');
  return `"${name.replaceAll('"', '""')}"`;
};
