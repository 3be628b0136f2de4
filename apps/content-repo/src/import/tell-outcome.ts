/** What a commit says to who asked for it. Refuses: to store anything. */
import type { ByteReply } from '@tessera/contracts';
import type { ImportStatus } from '@tessera/contracts/content-repo';
import { fail, type Fault, type Result } from '@tessera/failures';
import { jsonReply } from '@tessera/messaging';
import { contentNotFound } from '../not-found.js';
import type { StoredOutcome } from './imports.repository.js';

/** `undefined`: there is no such import. */
export const tellOutcome = (importId: string, outcome: StoredOutcome | undefined): Result<ByteReply> => {
  if (!outcome) return contentNotFound;
  if (outcome.state === 'refused')
    return fail('GENERAL_CONSTRAINT_VIOLATION', 'The elements do not fit together; nothing was stored.', {
      faults: (outcome.faults ?? []).map(asFault),
    });
  return jsonReply({ importId, ...outcome });
};

type StoredFault = NonNullable<ImportStatus['faults']>[number];

/** Without members that are undefined, which the stored form allows. */
const asFault = ({ rule, suggestion, ...fault }: StoredFault): Fault => ({
  ...fault,
  ...(rule !== undefined && { rule }),
  ...(suggestion !== undefined && { suggestion }),
});
