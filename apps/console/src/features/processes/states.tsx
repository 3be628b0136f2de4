import { useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { spelledOut } from './names.js';

/** Of the states that every storage knows; a definition may have others. */
const tones = {
  inProcess: 'accent',
  inReview: 'accent',
  readyForQa: 'accent',
  readyForRelease: 'accent',
  released: 'success',
  requestToExpire: 'warning',
  expired: 'plain',
  show: 'plain',
  hide: 'warning',
} as const satisfies Readonly<Record<string, Tone>>;

type KnownState = keyof typeof tones;
const isKnown = (state: string): state is KnownState => Object.hasOwn(tones, state);

/** `released` in the language of the page; others as they are called, spelled out. */
export const useStateName = (): ((state: string) => string) => {
  const say = useMessages(processesMessages);
  return (state) => (isKnown(state) ? say(`state_${state}`) : spelledOut(state));
};

export const StateBadge = ({ state }: { readonly state: string }) => {
  const nameOfState = useStateName();
  if (state === '') return null;
  return (
    <Badge tone={isKnown(state) ? tones[state] : 'plain'}>
      <bdi>{nameOfState(state)}</bdi>
    </Badge>
  );
};

/** What is as it mostly is needs no badge in a list. */
export const isUsualState = (state: string): boolean => ['', 'released', 'show'].includes(state);
