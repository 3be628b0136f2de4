/** The versions of one element as decisions see them: number and state, not what they say. */
import type { VersionNumber } from './plan-element.js';
import { wasReleased } from './states.js';

export type VersionHead = VersionNumber & { readonly versionId: string; readonly state: string };

/** `1.0` */
export const formatVersion = ({ major, minor }: VersionNumber): string => `${major}.${minor}`;

export const findReleasedVersion = <Head extends VersionHead>(heads: readonly Head[]): Head | undefined =>
  heads.find(({ state }) => state === 'released');

/** The version that was never released; an element has one at most. */
export const findDraftVersion = <Head extends VersionHead>(heads: readonly Head[]): Head | undefined =>
  heads.find(({ state }) => !wasReleased(state));

/** `heads` by number, the oldest first. An element's id means the released version, or else the newest; a version's id exactly that one. */
export const findVersionHead = <Head extends VersionHead>(heads: readonly Head[], askedId: string): Head | undefined =>
  heads.find(({ versionId }) => versionId === askedId) ?? findReleasedVersion(heads) ?? heads.at(-1);
