/** What may be deleted: what is in process or has no versions, and has no children. */
import { initialState, wasReleased } from './states.js';
import type { TypeModel } from './storage-model.js';
import { findDraftVersion, findReleasedVersion, type VersionHead, formatVersion } from './version-heads.js';

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
  if (type.versioned && version.state !== initialState(true)) return { refusal: refusalOfState(type, heads, version) };
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
  const text = `Version ${formatVersion(version)} is in the state ${version.state}; only what is in process can be deleted.`;
  const back = type.transitions.find(({ from, to }) => from === version.state && to === initialState(true));
  if (back) return `${text} Bring it back by ${back.id} first.`;
  const draft = findDraftVersion(heads);
  if (draft && draft.versionId !== version.versionId)
    return `${text} Its draft ${formatVersion(draft)} can be deleted by its own id, ${draft.versionId}.`;
  if (version.state === 'released')
    return `${text} Let it expire, by ReleasedToRequestToExpire, when it is not valid any more.`;
  return wasReleased(version.state) ? `${text} What was released once stays as history.` : text;
};

/** `heads`: the versions that the element has. Undefined when the version may come back. */
export const checkVersionRestore = (heads: readonly VersionHead[], version: VersionHead): string | undefined => {
  const number = formatVersion(version);
  const same = heads.find(({ versionId }) => versionId === version.versionId);
  if (same)
    return `The version is there again, as ${formatVersion(same)} in the state ${same.state}; delete that first.`;
  const draft = findDraftVersion(heads);
  if (draft && !wasReleased(version.state))
    return `Version ${formatVersion(draft)} (${draft.versionId}) is in the state ${draft.state} already; release or delete it first.`;
  const taken = heads.find((head) => formatVersion(head) === number);
  if (taken) return `The number ${number} was given to the version ${taken.versionId} since; delete that one first.`;
  const released = findReleasedVersion(heads);
  if (released && version.state === 'released')
    return `Version ${formatVersion(released)} (${released.versionId}) is released already; let that expire first.`;
  return undefined;
};
