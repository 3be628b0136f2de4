/** `Accept` -> whether an answer may be one JSON document, a stream of events, or either. Refuses: other media types. */
import { readMediaRanges, welcomeOf } from '@tessera/contracts';

export type AnswerShape = 'either' | 'json' | 'events';

/** What clients of the protocol send, so that it need not be read each time. */
const usual: ReadonlyMap<string | undefined, AnswerShape> = new Map<string | undefined, AnswerShape>([
  [undefined, 'either'],
  ['*/*', 'either'],
  ['application/json, text/event-stream', 'either'],
  ['text/event-stream, application/json', 'either'],
  ['application/json', 'json'],
  ['text/event-stream', 'events'],
]);

/** Undefined when neither is welcome. */
export const chooseShape = (accept: string | undefined): AnswerShape | undefined => {
  const known = usual.get(accept);
  if (known !== undefined || accept === undefined) return known;
  if (accept.trim() === '') return 'either';
  const ranges = readMediaRanges(accept);
  const isWelcome = (mediaType: string): boolean => (welcomeOf(mediaType, ranges)?.quality ?? 0) > 0;
  if (isWelcome('application/json')) return isWelcome('text/event-stream') ? 'either' : 'json';
  return isWelcome('text/event-stream') ? 'events' : undefined;
};
