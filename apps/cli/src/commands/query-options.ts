/** A query of a knowledge model from the options of a command. The service checks the names. */
import { parseWith } from '@tessera/contracts';
import { KmQueryDataRequest } from '@tessera/contracts/knowledge-models';
import type { z } from 'zod';
import type { JsonOption } from './command.js';

export type QueryOptions = JsonOption & {
  readonly record?: string;
  readonly fields?: string;
  readonly kpis?: string;
  readonly filter?: readonly string[];
  readonly where?: readonly string[];
  readonly sort?: string;
  readonly page?: string;
  readonly pageSize?: string;
  readonly distinct?: boolean;
  /** False: rows are not counted. */
  readonly total?: boolean;
  readonly search?: string;
  readonly searchFields?: string;
  readonly searchPrecision?: string;
};

type Query = z.output<typeof KmQueryDataRequest>;

/** Or what is wrong with the options, as one sentence. */
export const parseQueryOptions = (options: QueryOptions): Query | string => {
  if (options.record !== undefined && options.kpis !== undefined)
    return '--kpis: KPIs are asked of the whole model, without --record';
  const parsed = parseWith(KmQueryDataRequest, { projection: projectionOf(options) }, 'options');
  if (parsed.ok) return parsed.value;
  return parsed.faults.map(({ path, message }) => `${optionAt(path)}: ${message}`).join('; ');
};

const projectionOf = ({ fields, kpis, filter = [], where = [], sort, ...options }: QueryOptions) => ({
  ...(fields !== undefined && { fields }),
  ...(kpis !== undefined && { kpis: splitList(kpis) }),
  filters: { kmFilterNames: filter.flatMap(splitList), filterExpr: where },
  ...(sort !== undefined && { sort }),
  pagination: {
    ...(options.page !== undefined && { pageNumber: Number(options.page) }),
    ...(options.pageSize !== undefined && { pageSize: Number(options.pageSize) }),
  },
  options: [...(options.distinct ? ['distinct'] : []), ...(options.total === false ? ['nototal'] : [])],
  ...(options.search !== undefined && {
    search: {
      term: options.search,
      ...(options.searchFields !== undefined && { field: options.searchFields }),
      ...(options.searchPrecision !== undefined && { precision: Number(options.searchPrecision) }),
    },
  }),
});

const splitList = (list: string): string[] => list.split(',').map((word) => word.trim());

const optionByPath: readonly (readonly [start: string, option: string])[] = [
  ['projection.fields', '--fields'],
  ['projection.kpis', '--kpis'],
  ['projection.filters.kmFilterNames', '--filter'],
  ['projection.filters.filterExpr', '--where'],
  ['projection.sort', '--sort'],
  ['projection.pagination.pageNumber', '--page'],
  ['projection.pagination.pageSize', '--page-size'],
  ['projection.search.field', '--search-fields'],
  ['projection.search.precision', '--search-precision'],
  ['projection.search', '--search'],
];

const optionAt = (path: string): string => optionByPath.find(([start]) => path.startsWith(start))?.[1] ?? path;
