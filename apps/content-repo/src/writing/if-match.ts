/**
 * The precondition of an update: every version that it writes still is the one that the caller has read.
 * Refuses: to compare whole answers; of an ETag only the revision of the version counts here.
 */
import type { WrittenElement } from '@tessera/contracts/content-repo';
import { fail, type Failure, type Fault } from '@tessera/failures';
import { revisionOfEtag } from '../etag.js';
import type { ReadTarget } from './read-targets.js';

/** The failure that names the elements which are not as they were; undefined when all are. */
export const refusalOfMatch = (
  header: string | undefined,
  asked: readonly WrittenElement[],
  targets: readonly (ReadTarget | undefined)[],
): { readonly ok: false; readonly failure: Failure } | undefined => {
  if (header === undefined || header.trim() === '*') return undefined;
  const revisions = new Set(header.split(',').map((etag) => revisionOfEtag(etag.trim())));
  const faults = targets.flatMap((target, index): readonly Fault[] => {
    if (target?.revision === undefined || revisions.has(target.revision)) return [];
    const path = `elements.${index}.${asked[index]?.id === undefined ? 'versionId' : 'id'}`;
    const { elementId, versionId } = target.ids;
    const message = `the element ${elementId} (version ${versionId}) is not the one that was read; read it again and send the change with its ETag`;
    return [{ in: 'body', path, message, rule: 'changed' }];
  });
  if (faults.length === 0) return undefined;
  return fail('CONTENT_CHANGED', 'Somebody else has changed what you want to change; nothing was written.', { faults });
};

/** A condition on what is not there yet never holds. */
export const faultOfMatch = (header: string | undefined, asked: readonly WrittenElement[]): readonly Fault[] =>
  header === undefined || asked.some(({ id, versionId }) => id !== undefined || versionId !== undefined)
    ? []
    : [
        {
          in: 'header',
          path: 'if-match',
          message: 'is for updates, and the body only makes new elements',
          rule: 'if-match',
        },
      ];
