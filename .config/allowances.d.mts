/** Types of allowances.mjs, which the linter reads as plain JavaScript. */
export const environmentReaders: readonly string[];
export const terminalWriters: readonly string[];
export const spreadLiteralsMax: Readonly<Record<string, number>>;
