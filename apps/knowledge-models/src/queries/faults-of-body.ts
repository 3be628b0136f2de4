/**
 * The faults of a question that came in a body, told where its sender finds them: questions are checked by the names of
 * their parameters. Refuses: to change what is said.
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
export const toldOfBody = <Value>(result: Result<Value>, within = 'projection'): Result<Value> => {
  if (result.ok || !result.failure.faults) return result;
  const faults = result.failure.faults.map((fault) => faultOfBody(fault, within));
  return { ok: false, failure: { ...result.failure, faults } };
};

/** `filterExpr.1` is the second expression. */
const faultOfBody = (fault: Fault, within: string): Fault => {
  const [parameter = '', ...rest] = fault.path.split('.');
  const member = fault.in === 'query' ? memberOf.get(parameter) : undefined;
  return member === undefined ? fault : { ...fault, in: 'body', path: [within, member, ...rest].join('.') };
};
