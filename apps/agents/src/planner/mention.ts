/** A name or value found in a question, and how well it matches. */
import type { Field, Kpi, NamedEntry, RecordEntry } from './vocabulary.js';

export type Mention = {
  /** Places of words. */
  readonly places: readonly number[];
} & (
  | { readonly kind: 'kpi'; readonly kpi: Kpi; readonly isCount: boolean }
  | { readonly kind: 'filter'; readonly filter: NamedEntry }
  | { readonly kind: 'record'; readonly record: RecordEntry }
  /** The same name in several records. */
  | { readonly kind: 'field'; readonly options: readonly Field[] }
  /** Values of the data and flags of the model that the words mean. */
  | { readonly kind: 'condition'; readonly options: readonly ConditionOption[] }
);

/** A text that the field has, or `true` of a flag. */
export type ConditionOption = { readonly field: Field; readonly value: string | true };

/** `score`: `scorePerWord` for each word, less for what is not as it is written. */
export type Candidate = { readonly mention: Mention; readonly score: number };
export type WordMatch = { readonly places: readonly number[]; readonly nearness: number };

export const scorePerWord = 10;
/** How much less a misspelt word says. */
export const misspeltPenalty = 3;

export const isCountKpi = ({ variants }: Kpi): boolean => variants.some((stems) => stems.includes('~count'));
