/** A fault of a filter as the failure that a caller sees. Refuses: more than one; the first ends the filter. */
import type { ExpressionFault } from '@tessera/filter';
import { fail, type Fault } from '@tessera/failures';

/** People count characters from one, `position` counts from zero. */
export const refuseFilter = ({ position, message, rule, suggestion }: ExpressionFault) => {
  const fault: Fault = {
    in: 'query',
    path: '$filter',
    message: `character ${position + 1}: ${message}`,
    rule,
    position,
    ...(suggestion !== undefined && { suggestion }),
  };
  return fail('CONTENT_FILTER_SYNTAX', 'The filter cannot be used.', { faults: [fault] });
};
