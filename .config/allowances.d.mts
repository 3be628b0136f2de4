/** Types of allowances.mjs, which the linter reads as plain JavaScript. */
export const environmentReaders: readonly string[];
export const terminalWriters: readonly string[];
export const testLinesPerCodeLine: { readonly libs: number; readonly apps: number };
export const isDeclarative: (path: string) => boolean;
export const withoutTests: readonly string[];
export const undertestedProjects: readonly string[];
