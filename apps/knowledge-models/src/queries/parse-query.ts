/**
 * The parameters or the body of a query -> the one shape that the compiler takes.
 * Texts that no value in the database can have, and record data without fields, are faults; names are checked later.
 */
import type { RequestOf } from '@tessera/contracts';
import type {
  KmQueryDataRequest,
  readModelData,
  readModelQuery,
  readRecordData,
  readRecordQuery,
} from '@tessera/contracts/knowledge-models';
import { fail, succeed, type Result, type Fault } from '@tessera/failures';
import type { DataQuery, DataSearch } from '@tessera/knowledge-model';
import type { z } from 'zod';

type ModelParameters = RequestOf<typeof readModelData> | RequestOf<typeof readModelQuery>;
type RecordParameters = RequestOf<typeof readRecordData> | RequestOf<typeof readRecordQuery>;
type Body = z.output<typeof KmQueryDataRequest>;

/** `record`: at the level of this record. */
type QueryLevel = { readonly record?: string; readonly needsFields?: boolean };

export const parseQueryParameters = (
  parameters: ModelParameters | RecordParameters,
  level: QueryLevel,
): Result<DataQuery> => {
  const { searchTerm, searchField, searchPrecision, page, pageSize, sort } = parameters;
  return checkLevel(
    {
      ...levelOf(level),
      fields: fieldsOf(parameters.fields, level),
      kpis: 'kpis' in parameters ? (parameters.kpis ?? []) : [],
      filterIds: parameters.filters ?? [],
      filterExpressions: nonEmptyTexts(parameters.filterExpr),
      ...(sort !== undefined && { sort }),
      distinct: parameters.options?.includes('distinct') ?? false,
      ...(searchTerm && { search: searchOf(searchTerm, searchField, searchPrecision) }),
      page: page ?? standardPage,
      pageSize: pageSize ?? standardPageSize,
    },
    level,
  );
};

export const parseQueryBody = ({ projection }: Body, level: QueryLevel): Result<DataQuery> => {
  const { fields, filters, pagination, sort, options, search, kpis } = projection;
  return checkLevel(
    {
      ...levelOf(level),
      fields: fieldsOf(fields === undefined ? undefined : listOf(fields), level),
      kpis: listOf(kpis ?? []),
      filterIds: filters?.kmFilterNames ?? [],
      filterExpressions: nonEmptyTexts(filters?.filterExpr),
      ...(sort !== undefined && { sort }),
      distinct: options?.includes('distinct') ?? false,
      ...(search?.term && { search: searchOf(search.term, search.field, search.precision) }),
      page: pagination?.pageNumber ?? standardPage,
      pageSize: pagination?.pageSize ?? standardPageSize,
    },
    level,
  );
};

const standardPage = 0;
const standardPageSize = 50;

/** Empty texts ask for nothing. */
const nonEmptyTexts = (texts: readonly string[] = []): readonly string[] => texts.filter((text) => text.trim() !== '');

const levelOf = ({ record }: QueryLevel): Pick<DataQuery, 'record'> => (record === undefined ? {} : { record });

/** At the level of a record no fields are all of them, where they may be left out. */
const fieldsOf = (fields: readonly string[] | undefined, { record }: QueryLevel): DataQuery['fields'] =>
  fields === undefined || fields.length === 0 ? (record === undefined ? [] : 'all') : fields;

const searchOf = (term: string, field: string | undefined, precision: number): DataSearch => {
  const fields = field === undefined ? [] : listOf(field);
  return { term, precision, ...(fields.length > 0 && { fields }) };
};

/** A text is split as the list of a parameter; an empty one is the empty list. */
const listOf = (given: string | readonly string[]): readonly string[] =>
  (typeof given === 'string' ? given.split(',') : given).map((part) => part.trim()).filter((part) => part !== '');

const checkLevel = (query: DataQuery, { needsFields }: QueryLevel): Result<DataQuery> => {
  if (needsFields && query.fields === 'all')
    return fail('GENERAL_PARAMETER_MISSING', 'Name in fields what is wanted of the record.', {
      faults: [{ in: 'query', path: 'fields', message: 'expected ids of fields', rule: 'missing' }],
    });
  const odd = Object.entries(textsOf(query)).find(([, texts]) => texts.some((text) => !isStorable(text)));
  if (!odd) return succeed(query);
  const message = 'holds a character that no text in the database can have';
  return fail('GENERAL_PARAMETER_ILLEGAL', `The parameter ${odd[0]} ${message}.`, {
    faults: [{ in: 'query', path: odd[0], message, rule: 'characters' }],
  });
};

/** By the name of the parameter. Names of fields and the like are looked up and never sent. */
const textsOf = ({ filterExpressions, search }: DataQuery): Readonly<Record<string, readonly string[]>> => ({
  filterExpr: filterExpressions,
  searchTerm: search ? [search.term] : [],
});

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const memberOf: ReadonlyMap<string, string> = new Map([
  ['fields', 'fields'],
  ['kpis', 'kpis'],
  ['filters', 'filters.kmFilterNames'],
  ['filterExpr', 'filters.filterExpr'],
  ['sort', 'sort'],
  ['searchTerm', 'search.term'],
  ['searchField', 'search.field'],
]);

/**
 * Faults of a query name its parameters; for a query that came in a body their paths name
 * the members of that body. `within`: the member of the body that holds the query, `projection` when it is the body itself.
 */
export const mapFaultPathsToBody = <Value>(result: Result<Value>, within = 'projection'): Result<Value> => {
  if (result.ok || !result.failure.faults) return result;
  const faults = result.failure.faults.map((fault) => withBodyPath(fault, within));
  return { ok: false, failure: { ...result.failure, faults } };
};

/** `filterExpr.1` is the second expression. */
const withBodyPath = (fault: Fault, within: string): Fault => {
  const [parameter = '', ...rest] = fault.path.split('.');
  const member = fault.in === 'query' ? memberOf.get(parameter) : undefined;
  return member === undefined ? fault : { ...fault, in: 'body', path: [within, member, ...rest].join('.') };
};
