/**
 * What may be deleted: what is in process or has no versions, and has no children.
 * Refuses: to delete; it says why not, with the way out.
 */
import { firstState, wasReleased } from './states.js';
import type { TypeModel } from './storage-model.js';
import { draftOf, versionText, type VersionHead } from './version-heads.js';

export type Deletion = 'element' | 'draft';

export type DeletionFacts = {
  readonly type: Pick<TypeModel, 'versioned' | 'transitions'>;
  readonly heads: readonly VersionHead[];
  readonly version: VersionHead;
  readonly children: number;
};

/** A draft goes alone when there are older versions; else the element goes. */
export const chooseDeletion = ({
  type,
  heads,
  version,
  children,
}: DeletionFacts): Deletion | { readonly refusal: string } => {
  if (type.versioned && version.state !== firstState(true)) return { refusal: notInProcess(type, heads, version) };
  if (type.versioned && heads.length > 1) return 'draft';
  if (children === 0) return 'element';
  const [count, them] = children === 1 ? ['one child', 'it'] : [`${children} children`, 'them'];
  return { refusal: `The element has ${count}; move or delete ${them} first.` };
};

const notInProcess = (
  type: Pick<TypeModel, 'transitions'>,
  heads: readonly VersionHead[],
  version: VersionHead,
): string => {
  const text = `Version ${versionText(version)} is in the state ${version.state}; only what is in process can be deleted.`;
  const back = type.transitions.find(({ from, to }) => from === version.state && to === firstState(true));
  if (back) return `${text} Bring it back by ${back.id} first.`;
  const draft = draftOf(heads);
  if (draft && draft.versionId !== version.versionId)
    return `${text} Its draft ${versionText(draft)} can be deleted by its own id, ${draft.versionId}.`;
  if (version.state === 'released')
    return `${text} Let it expire, by ReleasedToRequestToExpire, when it is not valid any more.`;
  return wasReleased(version.state) ? `${text} What was released once stays as history.` : text;
};
