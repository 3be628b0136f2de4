/**
 * Why a filter was refused: where, and what was expected there.
 * Refuses: a code of its own. Each group of interfaces names the failure in its own words.
 */

export type FilterFault = {
  /** Zero-based character position in the filter's text. */
  readonly position: number;
  /** One sentence: what stands there and what was expected. */
  readonly message: string;
  /** `syntax`, a limit's name, or the rule of a later stage (`field`, `type`). */
  readonly rule: string;
  readonly suggestion?: string;
};

export type FilterParsing<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: FilterFault };
