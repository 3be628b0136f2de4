/** How faults speak of formulas, and how large one may be. */
import type { Language } from '@tessera/filter';

export const formulaLanguage: Language = {
  name: 'formula',
  nodes: 'operators, names and values',
  nested: 'Parentheses, functions, cases and signs',
  string: 'a text',
  suggestsForStrings: false,
};

/**
 * Never weaken: beyond these a formula would cost the database its stack, whether it is written out or made of formulas
 * that name each other.
 */
export type FormulaLimits = {
  readonly charactersMax: number;
  /** Parentheses, functions, cases and signs inside each other. */
  readonly depthMax: number;
  /** Everything that has operands, and names and literals. */
  readonly nodesMax: number;
  /** Nodes of the SQL, with every formula that is named put in place of its name. */
  readonly weightMax: number;
};

export const standardFormulaLimits: FormulaLimits = Object.freeze({
  charactersMax: 4_000,
  depthMax: 32,
  nodesMax: 1_000,
  weightMax: 5_000,
});
