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
  readonly flags: readonly { readonly field: Field; readonly holds: boolean | 'missing' | 'present' }[];
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
        | 'cannot-share'
        | 'cannot-average'
        | 'search-incomplete';
    }
  | { readonly why: 'unknown-names'; readonly words: readonly string[] }
  /** The rows of `home` have no such field. */
  | { readonly why: 'not-of-rows'; readonly what: { readonly name: string } | undefined; readonly home: string }
  /** Nothing says by which number rows are large. */
  | { readonly why: 'no-size'; readonly home: string }
  | { readonly why: 'no-tool'; readonly tool: string }
  | { readonly why: 'tool-failed'; readonly message: string };

export type Plan =
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | { readonly kind: 'explain'; readonly kpis: readonly Kpi[] }
  | { readonly kind: 'newest-day'; readonly field: Field }
  | FiguresPlan
  | { readonly kind: 'median'; readonly field: Field; readonly query: LoadDataQuery }
  | { readonly kind: 'rows'; readonly query: LoadDataQuery }
  | { readonly kind: 'since-when'; readonly query: LoadDataQuery; readonly month: Field }
  | {
      readonly kind: 'drivers';
      readonly kpi: Kpi;
      readonly args: JsonObject;
      readonly refinement: Refinement;
    };

export type FiguresPlan = {
  readonly kind: 'figures';
  readonly queries: readonly LoadDataQuery[];
  readonly isRanked: boolean;
  readonly asksTarget: boolean;
  /** Whether two periods are compared: which of both is better is told. */
  readonly asksTrend: boolean;
  /** The first figure of the first query as a part of that of the second, which has fewer conditions. */
  readonly isShare: boolean;
  /** The first figure divided by the second: an average. */
  readonly quotient?:
    | { readonly kpi: Kpi; readonly ascending?: boolean | undefined; readonly limit?: number | undefined }
    | undefined;
  /** A single figure is compared with it: is it above 5 %? */
  readonly threshold?: { readonly comparison: Comparison; readonly value: number } | undefined;
};

export const createRefusalPlan = (refusal: Refusal): Plan => ({ kind: 'refuse', refusal });
