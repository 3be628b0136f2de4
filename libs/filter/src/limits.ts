/**
 * The budgets of a filter, spent before any SQL is made. Refuses: filters that would cost the database its stack or its
 * parameters.
 */
export type FilterLimits = {
  readonly charactersMax: number;
  /** Parentheses and negations inside each other. */
  readonly depthMax: number;
  readonly listValuesMax: number;
  /** Comparisons, functions and connectives together. */
  readonly nodesMax: number;
};

export const standardFilterLimits: FilterLimits = Object.freeze({
  charactersMax: 4_000,
  depthMax: 32,
  listValuesMax: 1_000,
  nodesMax: 500,
});
