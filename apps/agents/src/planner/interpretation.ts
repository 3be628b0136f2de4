/** What a question was understood to be, as plain data. */
import type { Comparison, Ranking, Intent } from './cues.js';
import type { Language } from './language.js';
import type { ConditionOption } from './mention.js';
import type { PeriodMatch } from './periods.js';
import type { PeriodShift } from './period-shift.js';
import type { Refusal } from './plan.js';
import type { Field, Kpi, NamedEntry, RecordEntry } from './vocabulary.js';

export type Grain = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** What the answer has a row for each of. Fields of one name in several records are options of one. */
export type Group =
  | { readonly kind: 'field'; readonly options: readonly Field[] }
  | { readonly kind: 'record'; readonly record: RecordEntry }
  | { readonly kind: 'time'; readonly grain: Grain };

/** What rows have to be like; `null`: they have no value there. */
export type Condition = {
  readonly options: readonly (Omit<ConditionOption, 'value'> & { readonly value: string | true | null })[];
  readonly isNegated: boolean;
};

export type FieldFunction = 'sum' | 'avg' | 'min' | 'max' | 'median';

export type Interpretation = {
  readonly language: Language;
  readonly intents: ReadonlySet<Intent>;
  /** Figures that are asked for: KPIs, and what is counted or aggregated beside them. */
  readonly kpis: readonly Kpi[];
  /** The record whose rows are counted, aggregated or listed, when no KPI is named. */
  readonly home?: RecordEntry | undefined;
  /** A number that is aggregated over the rows of its record. */
  readonly aggregate?: { readonly function: FieldFunction; readonly options: readonly Field[] } | undefined;
  readonly groups: readonly Group[];
  readonly values: readonly Condition[];
  readonly filters: readonly NamedEntry[];
  readonly periods: readonly PeriodMatch['period'][];
  /** The period that the one of the question is compared with. */
  readonly shift?: PeriodShift | undefined;
  readonly comparisons: readonly (Comparison & { readonly field?: readonly Field[] | undefined })[];
  readonly ranking?: Ranking | undefined;
  /** Records and fields that were named and are no group. */
  readonly records: readonly RecordEntry[];
  readonly fields: readonly (readonly Field[])[];
  /** Whether a rate or a share is asked for by such a word. */
  readonly saysRate?: boolean;
  /** What was understood and cannot be answered. */
  readonly problem?: Refusal | undefined;
  /** Words that nothing was found for; those that seem to be names come first. */
  readonly unknown: readonly { readonly text: string; readonly isName: boolean }[];
};
