/** What the buttons for transitions say. */
import type { AnswerFor } from '../../../api/operations.js';
import type { Say } from '../../../language/catalogue.js';
import type { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';

export type Transition = NonNullable<AnswerFor<'listTransitions'>['elements']>[number];

const known = {
  inProcess: 'toInProcess',
  inReview: 'toInReview',
  readyForQa: 'toReadyForQa',
  readyForRelease: 'toReadyForRelease',
  released: 'toReleased',
  requestToExpire: 'toRequestToExpire',
  expired: 'toExpired',
  show: 'toShow',
  hide: 'toHide',
} as const;

type KnownState = keyof typeof known;
const isKnown = (state: string): state is KnownState => Object.hasOwn(known, state);

/** `Release`, `Send to review`; of states that only a definition knows `To "Archived"`. */
export const wordsOfTransition = (
  { from, to }: Pick<Transition, 'from' | 'to'>,
  say: Say<typeof processesEditingMessages.en>,
  nameOfState: (state: string) => string,
): string => {
  if (from === 'requestToExpire' && to === 'released') return say('keepReleased');
  return isKnown(to) ? say(known[to]) : say('toState', { state: nameOfState(to) });
};

/** What cannot simply be taken back. */
export const isAskedFirst = ({ from, to }: Pick<Transition, 'from' | 'to'>): boolean =>
  to === 'expired' || (to === 'released' && from !== 'requestToExpire');
