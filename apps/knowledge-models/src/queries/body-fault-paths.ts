/**
 * Faults of a question are found by the names of its query parameters; for a question that came in a body their paths name the
 * members of that body.
 */
import type { Fault, Result } from '@tessera/failures';

const memberOf: ReadonlyMap<string, string> = new Map([
  ['fields', 'fields'],
  ['kpis', 'kpis'],
  ['filters', 'filters.kmFilterNames'],
  ['filterExpr', 'filters.filterExpr'],
  ['sort', 'sort'],
  ['searchTerm', 'search.term'],
  ['searchField', 'search.field'],
]);

/** `within`: the member of the body that holds the question, `projection` when it is the body itself. */
export const withBodyFaultPaths = <Value>(result: Result<Value>, within = 'projection'): Result<Value> => {
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
