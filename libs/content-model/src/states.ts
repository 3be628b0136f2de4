/** The states of versions and structure elements, and the transitions a type has when its definition names none. */
export type Transition = { readonly id: string; readonly from: string; readonly to: string };

export const versionStates = [
  'inProcess',
  'inReview',
  'readyForQa',
  'readyForRelease',
  'released',
  'requestToExpire',
  'expired',
] as const;
export const structureStates = ['show', 'hide'] as const;

export const standardStates = (versioned: boolean): readonly string[] => (versioned ? versionStates : structureStates);

/** The state of what was just made. */
export const initialState = (versioned: boolean): string => (versioned ? 'inProcess' : 'show');

/** Whether a version in this state was released at some time. */
export const wasReleased = (state: string): boolean =>
  state === 'released' || state === 'requestToExpire' || state === 'expired';

/** `InProcessToInReview` of `inProcess` and `inReview`. */
export const transitionId = (from: string, to: string): string => `${capitalise(from)}To${capitalise(to)}`;

export const standardTransitions = (versioned: boolean): readonly Transition[] =>
  (versioned ? versionedTransitions : structureTransitions).map(([from, to]) => ({
    id: transitionId(from, to),
    from,
    to,
  }));

const versionedTransitions = [
  ['inProcess', 'inReview'],
  ['inProcess', 'released'],
  ['inReview', 'inProcess'],
  ['inReview', 'readyForQa'],
  ['readyForQa', 'inProcess'],
  ['readyForQa', 'readyForRelease'],
  ['readyForRelease', 'inProcess'],
  ['readyForRelease', 'released'],
  ['released', 'requestToExpire'],
  ['requestToExpire', 'released'],
  ['requestToExpire', 'expired'],
] as const;

const structureTransitions = [
  ['show', 'hide'],
  ['hide', 'show'],
] as const;

const capitalise = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
