/** What the planner decided to do about a question, as plain data. */
import type { Comparison } from './cues.js';
import type { DayRange } from './days.js';
import type { JsonObject } from './json.js';
import type { Field, Kpi } from './vocabulary.js';

/** A call of load-data, with what it is about. */
export type LoadDataQuery = {
  readonly args: JsonObject;
  readonly kpis: readonly Kpi[];
  readonly groups: readonly Field[];
  readonly refinement: Refinement;
};

/** What the rows were narrowed down to, for the words of an answer. */
export type Refinement = {
  readonly values: readonly {
    readonly field: Field;
    readonly values: readonly string[];
    readonly isNegated: boolean;
  }[];
  readonly filters: readonly { readonly id: string; readonly name: string }[];
  readonly days?: { readonly field: Field; readonly days: DayRange } | undefined;
  readonly comparisons: readonly {
    readonly of: Field | Kpi;
    readonly comparison: Comparison;
    readonly value: number;
  }[];
};

export type Refusal =
  | {
      readonly why:
        | 'not-understood'
        | 'no-kpi'
        | 'no-month'
        | 'no-period'
        | 'cannot-act'
        | 'cannot-forecast'
        | 'cannot-group'
        | 'cannot-compare'
        | 'cannot-flag'
        | 'cannot-average';
    }
  | { readonly why: 'unknown-names'; readonly words: readonly string[] }
  | { readonly why: 'no-tool'; readonly tool: string }
  | { readonly why: 'tool-failed'; readonly message: string };

export type Plan =
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | { readonly kind: 'explain'; readonly kpis: readonly Kpi[] }
  | { readonly kind: 'newest-day'; readonly field: Field }
  | {
      readonly kind: 'figures';
      readonly queries: readonly LoadDataQuery[];
      readonly isRanked: boolean;
      readonly asksTarget: boolean;
      readonly remarks: Remarks;
      /** A single figure is compared with it: is it above 5 %? */
      readonly threshold?: { readonly comparison: Comparison; readonly value: number } | undefined;
    }
  | {
      readonly kind: 'rows' | 'count-rows';
      readonly query: LoadDataQuery;
      readonly name: string;
      readonly remarks: Remarks;
    }
  | { readonly kind: 'since-when'; readonly query: LoadDataQuery; readonly month: Field; readonly remarks: Remarks }
  | {
      readonly kind: 'drivers';
      readonly kpi: Kpi;
      readonly args: JsonObject;
      readonly refinement: Refinement;
      readonly remarks: Remarks;
    };

export type Remarks = {
  /** Words that nothing was found for; the figures are without them. */
  readonly unknown: readonly string[];
  /** Years or quarters were asked for, and there are months alone. */
  readonly isByMonthInstead: boolean;
};

export const createRefusalPlan = (refusal: Refusal): Plan => ({ kind: 'refuse', refusal });
