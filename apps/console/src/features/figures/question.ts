/** A question to a knowledge model, as it stands in the address of the page. */
import type { Period } from './period.js';

export type Question = {
  /** `RECORD.FIELD`, dates also `RECORD.FIELD:month`. */
  readonly fields: readonly string[];
  readonly kpis: readonly string[];
  /** Ids of filters of the model. */
  readonly filters: readonly string[];
  /** Filter expressions; all of them hold. */
  readonly conditions: readonly string[];
  readonly period: Period | undefined;
  readonly search: string;
  /** Whether texts contain what is searched for, or only come near it. */
  readonly isExactSearch: boolean;
  /** As the operation takes it: `-MAVERICK_RATE`. */
  readonly sort: string;
  readonly page: number;
};

export const tabs = ['question', 'records', 'kpis'] as const;
export type FiguresTab = (typeof tabs)[number];

/** The search parameters of the page of a model. Ids hold no commas, so that lists of them are texts. */
export type FiguresSearch = {
  readonly tab?: FiguresTab;
  /** The record that is looked at. */
  readonly record?: string;
  /** What KPIs and filters are looked for by. */
  readonly find?: string;
  readonly fields?: string;
  readonly kpis?: string;
  readonly filters?: string;
  readonly where?: readonly string[];
  readonly date?: string;
  readonly from?: string;
  readonly to?: string;
  readonly compare?: 'before' | 'year';
  readonly search?: string;
  readonly exact?: true;
  readonly sort?: string;
  readonly page?: number;
};

export const emptyQuestion: Question = {
  ...{ fields: [], kpis: [], filters: [], conditions: [], period: undefined },
  ...{ search: '', isExactSearch: false, sort: '', page: 0 },
};

const listOf = (text: string | undefined): readonly string[] => [
  ...new Set((text ?? '').split(',').flatMap((part) => part.trim() || [])),
];

export const questionOf = (search: FiguresSearch): Question => {
  const { date, from = '', to = '', compare } = search;
  return {
    fields: listOf(search.fields),
    kpis: listOf(search.kpis),
    filters: listOf(search.filters),
    conditions: search.where ?? [],
    period: date === undefined ? undefined : { field: date, from, to, ...(compare !== undefined && { compare }) },
    search: search.search ?? '',
    isExactSearch: search.exact ?? false,
    sort: search.sort ?? '',
    page: search.page ?? 0,
  };
};

/** The members of the address that hold a question; what it does not have is left out. */
export const searchOf = (question: Question): Omit<FiguresSearch, 'tab' | 'record' | 'find'> => {
  const { fields, kpis, filters, conditions, period, search, isExactSearch, sort, page } = question;
  return {
    ...(kpis.length > 0 && { kpis: kpis.join(',') }),
    ...(fields.length > 0 && { fields: fields.join(',') }),
    ...(filters.length > 0 && { filters: filters.join(',') }),
    ...(conditions.length > 0 && { where: conditions }),
    ...(period !== undefined && { date: period.field }),
    ...(period !== undefined && period.from !== '' && { from: period.from }),
    ...(period !== undefined && period.to !== '' && { to: period.to }),
    ...(period?.compare !== undefined && { compare: period.compare }),
    ...(search !== '' && { search }),
    ...(search !== '' && isExactSearch && { exact: true as const }),
    ...(sort !== '' && { sort }),
    ...(page > 0 && { page }),
  };
};

/** What the page asks for once something is chosen. */
export const asksForSomething = ({ fields, kpis }: Question): boolean => fields.length + kpis.length > 0;

/** A change of the question: another question begins at its first page, and is not sorted by what it does not have any more. */
export const changeQuestion = (question: Question, change: Partial<Question>): Question => {
  const changed = { ...question, page: 0, ...change };
  const columns = new Set([...changed.fields, ...changed.kpis]);
  const sort = listOf(changed.sort)
    .filter((item) => columns.has(item.replace(/^[+-]/, '')))
    .join(',');
  return { ...changed, sort };
};

export const fieldWithoutGrain = (field: string): string => field.replace(/:.*$/, '');
export const grainOf = (field: string): string => /:(.*)$/.exec(field)?.[1] ?? '';
