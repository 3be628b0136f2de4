import { readMediaRanges, welcomeOf } from '@tessera/contracts';
import type { Sliced } from '@tessera/fair-queue';
import { parseJsonSliced } from '@tessera/messaging';

const depthMax = 64;

/** Read in slices. Undefined when the text is no JSON or nested too deeply for code that reads it recursively. */
export function* readMessage(text: string): Sliced<unknown> {
  yield;
  if (isTooDeep(text)) return undefined;
  yield;
  try {
    return yield* parseJsonSliced(text);
  } catch {
    return undefined;
  }
}

const quote = 0x22;
const backslash = 0x5c;

const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > depthMax) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
};

/** Where the text that begins at a quote ends; the end of all when it does not. */
const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
};

const isEscaped = (text: string, at: number): boolean => {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
};

export type AnswerShape = 'either' | 'json' | 'events';

/** What clients of the protocol send, so that it need not be read each time. */
const knownAccepts: ReadonlyMap<string | undefined, AnswerShape> = new Map<string | undefined, AnswerShape>([
  [undefined, 'either'],
  ['*/*', 'either'],
  ['application/json, text/event-stream', 'either'],
  ['text/event-stream, application/json', 'either'],
  ['application/json', 'json'],
  ['text/event-stream', 'events'],
]);

/** Undefined when neither is welcome. */
export const chooseShape = (accept: string | undefined): AnswerShape | undefined => {
  const known = knownAccepts.get(accept);
  if (known !== undefined || accept === undefined) return known;
  if (accept.trim() === '') return 'either';
  const ranges = readMediaRanges(accept);
  const isWelcome = (mediaType: string): boolean => (welcomeOf(mediaType, ranges)?.quality ?? 0) > 0;
  if (isWelcome('application/json')) return isWelcome('text/event-stream') ? 'either' : 'json';
  return isWelcome('text/event-stream') ? 'events' : undefined;
};
