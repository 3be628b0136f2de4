/**
 * Why a filter was refused: where, and what was expected there.
 * Refuses: a code of its own. Each group of interfaces names the failure in its own words.
 */
import type { FilterLimits } from './limits.js';

/** The text, a budget, the name of a field, or what is compared with it. */
export type FaultRule = 'syntax' | keyof FilterLimits | 'field' | 'type';

export type FilterFault = {
  /** Zero-based character position in the filter's text. */
  readonly position: number;
  /** One sentence: what stands there and what was expected. */
  readonly message: string;
  readonly rule: FaultRule;
  readonly suggestion?: string;
};

export type FilterParsing<T, Fault = FilterFault> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault };
