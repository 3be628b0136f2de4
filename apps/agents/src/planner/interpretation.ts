/** What a question was understood to be, as plain data. */
import type { Comparison, Ranking, Intent } from './cues.js';
import type { Language } from './language.js';
import type { PeriodMatch } from './periods.js';
import type { Field, Kpi, NamedEntry, RecordEntry } from './vocabulary.js';

/** What the answer has a row for each of. Fields of one name in several records are options of one. */
export type Group =
  | { readonly kind: 'field'; readonly options: readonly Field[] }
  | { readonly kind: 'record'; readonly record: RecordEntry }
  | { readonly kind: 'month' };

export type ValueFilter = {
  readonly options: readonly { readonly field: Field; readonly value: string }[];
  readonly isNegated: boolean;
};

export type Interpretation = {
  readonly language: Language;
  readonly intents: ReadonlySet<Intent>;
  readonly kpis: readonly Kpi[];
  readonly groups: readonly Group[];
  readonly values: readonly ValueFilter[];
  readonly filters: readonly NamedEntry[];
  readonly periods: readonly PeriodMatch['period'][];
  readonly comparisons: readonly (Comparison & { readonly field?: readonly Field[] | undefined })[];
  readonly ranking?: Ranking | undefined;
  /** Records and fields that were named and are no group. */
  readonly records: readonly RecordEntry[];
  readonly fields: readonly (readonly Field[])[];
  /** Words that nothing was found for; those that seem to be names come first. */
  readonly unknown: readonly { readonly text: string; readonly isName: boolean }[];
};
