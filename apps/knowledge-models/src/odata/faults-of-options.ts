/**
 * The faults of a question that came as options of OData, told where its sender finds them: what no option of OData says
 * otherwise is checked by the names of the parameters. Refuses: to change what is said.
 */
import type { Fault, Result } from '@tessera/failures';

export const toldOfOptions = <Value>(result: Result<Value>): Result<Value> => {
  if (result.ok || !result.failure.faults) return result;
  return { ok: false, failure: { ...result.failure, faults: result.failure.faults.map(faultOfOption) } };
};

const faultOfOption = (fault: Fault): Fault => {
  if (fault.path === 'filters') return { ...fault, path: 'filterid' };
  return fault.path === 'key' ? { ...fault, in: 'path' } : fault;
};
