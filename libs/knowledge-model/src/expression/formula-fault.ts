/**
 * Why a formula was refused: where in its text, and what was expected there.
 * Refuses: where the formula itself stands; who knows the document adds that.
 */
export type FormulaFault = {
  /** Zero-based character position in the formula's text. */
  readonly position: number;
  /** One sentence: what stands there and what was expected. */
  readonly message: string;
  /** `syntax`, the name of a limit, `unknown`, `type` or `aggregate`. */
  readonly rule: string;
  readonly suggestion?: string;
};

export type FormulaParsing<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: FormulaFault };
