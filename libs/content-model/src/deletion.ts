/** What may be deleted: what is in process or has no versions, and has no children. */
import { firstState, wasReleased } from './states.js';
import type { TypeModel } from './storage-model.js';
import { draftOf, releasedOf, type VersionHead, versionText } from './version-heads.js';

type Deletion = 'element' | 'draft';

type DeletionFacts = {
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
  if (type.versioned && version.state !== firstState(true)) return { refusal: refusalOfState(type, heads, version) };
  if (type.versioned && heads.length > 1) return 'draft';
  if (children === 0) return 'element';
  const [count, them] = children === 1 ? ['one child', 'it'] : [`${children} children`, 'them'];
  return { refusal: `The element has ${count}; move or delete ${them} first.` };
};

const refusalOfState = (
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

/** `heads`: the versions that the element has. Undefined when the version may come back. */
export const refusalOfRestoredVersion = (heads: readonly VersionHead[], version: VersionHead): string | undefined => {
  const number = versionText(version);
  const same = heads.find(({ versionId }) => versionId === version.versionId);
  if (same) return `The version is there again, as ${versionText(same)} in the state ${same.state}; delete that first.`;
  const draft = draftOf(heads);
  if (draft && !wasReleased(version.state))
    return `Version ${versionText(draft)} (${draft.versionId}) is in the state ${draft.state} already; release or delete it first.`;
  const taken = heads.find((head) => versionText(head) === number);
  if (taken) return `The number ${number} was given to the version ${taken.versionId} since; delete that one first.`;
  const released = releasedOf(heads);
  if (released && version.state === 'released')
    return `Version ${versionText(released)} (${released.versionId}) is released already; let that expire first.`;
  return undefined;
};
