/**
 * Whether a version that was deleted alone may come back to its element. Refuses: to restore; it says why not, with the
 * way out.
 */
import { wasReleased } from './states.js';
import { draftOf, releasedOf, versionText, type VersionHead } from './version-heads.js';

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
