/**
 * Which versions may be written to: what is in process, and everything that has no versions.
 * Refuses: to write; it says why not, with the way out.
 */
import { firstState } from './states.js';
import type { TypeModel } from './storage-model.js';
import { draftOf, releasedOf, versionText, type VersionHead } from './version-heads.js';

/** `createAddress`: where a new version is made. Undefined when the version may be written. */
export const refusalOfUpdate = (
  type: Pick<TypeModel, 'versioned' | 'transitions'>,
  heads: readonly VersionHead[],
  version: VersionHead,
  createAddress: string,
): string | undefined => {
  if (!type.versioned || version.state === firstState(true)) return undefined;
  const text = `version ${versionText(version)} is in the state ${version.state}, and only what is in process can be changed`;
  const back = wayBack(type, version);
  if (back) return `${text}; bring it back by ${back} first`;
  const draft = draftOf(heads);
  if (draft && draft.versionId !== version.versionId) {
    const first = draft.state === firstState(true) ? undefined : wayBack(type, draft);
    return `${text}; write to its draft ${versionText(draft)} by its own id, ${draft.versionId}${first ? `, when ${first} has brought it back` : ''}`;
  }
  if (releasedOf(heads)) return `${text}; create a version of what is released first, by POST ${createAddress}`;
  return `${text}; what was released once stays as history`;
};

const wayBack = ({ transitions }: Pick<TypeModel, 'transitions'>, { state }: VersionHead): string | undefined =>
  transitions.find(({ from, to }) => from === state && to === firstState(true))?.id;
