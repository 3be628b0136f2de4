/**
 * Asks a language model for one answer, with retries inside the deadline. Never retries once text was streamed, and never
 * passes on what an endpoint says about a failure.
 */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { type Result, succeed } from '@tessera/failures';
import { raceWithAbort } from '@tessera/outgoing-http';
import type { SecretMask } from '@tessera/service-kit';
import { DelegateBackoff, handleWhenResult, retry } from 'cockatiel';
import { type CallSettings, buildCallOptions } from './call-options.js';
import type { ModelAnswer, ModelRequest } from './model.js';
import { isTemporaryOutage, type Outage, toOutageFailure, toOutage } from './outage.js';
import { readStreamedAnswer, readWholeAnswer, type ParsedAnswer } from './read-answer.js';

export type ModelEndpoint = {
  readonly language: LanguageModelV4;
  readonly settings: CallSettings;
  readonly mask: SecretMask;
  readonly patience: RetryOptions;
  /** For the operator. */
  readonly onOutage: (outage: Outage, attempts: number) => void;
  readonly onUncounted: () => void;
};

export type RetryOptions = {
  /** How often it is asked at most. */
  readonly attempts: number;
  /** The pause before the second attempt; each further one is twice as long, and each a random part shorter. */
  readonly firstPauseMs: number;
};

/** An endpoint that wants more time is not waited for. */
const waitMsMax = 10_000;

type Attempt =
  | { readonly ok: true; readonly answer: ParsedAnswer }
  | { readonly ok: false; readonly outage: Outage; readonly isTold: boolean };

/** Never rejects. */
export const askModel = async (model: ModelEndpoint, request: ModelRequest): Promise<Result<ModelAnswer>> => {
  const tooLate = AbortSignal.timeout(Math.max(0, request.deadlineMs - Date.now()));
  const signal = AbortSignal.any([request.signal, tooLate]);
  let attempts = 0;
  const last = await raceWithAbort(
    withRetries(model, request, () => {
      attempts += 1;
      return attemptWithFailure(model, request, signal);
    }),
    signal,
  );
  if (last?.ok) {
    const { isCounted, ...answer } = last.answer;
    if (!isCounted) model.onUncounted();
    return succeed(answer);
  }
  const outage = endOf(request, tooLate) ?? last?.outage ?? { kind: 'too-late' };
  if (outage.kind !== 'withdrawn') model.onOutage(outage, attempts);
  return toOutageFailure(outage);
};

/** Who ended it from outside; what the model did then says nothing about it. */
const endOf = (request: ModelRequest, tooLate: AbortSignal): Outage | undefined => {
  if (request.signal.aborted) return { kind: 'withdrawn' };
  return tooLate.aborted ? { kind: 'too-late' } : undefined;
};

const withRetries = (
  { patience: { attempts, firstPauseMs } }: ModelEndpoint,
  { deadlineMs }: ModelRequest,
  ask: () => Promise<Attempt>,
): Promise<Attempt> => {
  let growingMs = firstPauseMs;
  let pauseMs = 0;
  /** Decides the pause as well, since an attempt that would begin too late is none. */
  const isAskedAgain = (last: Attempt): boolean => {
    if (last.ok || last.isTold || !isTemporaryOutage(last.outage)) return false;
    const { waitMs = 0 } = last.outage;
    pauseMs = Math.max(waitMs, growingMs * (1 - Math.random() / 2));
    growingMs *= 2;
    return waitMs <= waitMsMax && Date.now() + pauseMs < deadlineMs;
  };
  const policy = retry(
    handleWhenResult((last) => isAttempt(last) && isAskedAgain(last)),
    { maxAttempts: attempts - 1, backoff: new DelegateBackoff(() => pauseMs) },
  );
  // A pause that nobody waits out keeps no process from its end.
  return policy.dangerouslyUnref().execute(ask);
};

const isAttempt = (value: unknown): value is Attempt => typeof value === 'object' && value !== null && 'ok' in value;

const attemptWithFailure = async (
  model: ModelEndpoint,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Attempt> => {
  const first = await attemptOnce(model, request, { signal });
  const refusesSchema = !first.ok && first.outage.kind === 'refused' && request.outputSchema !== undefined;
  return refusesSchema ? attemptOnce(model, request, { signal, isPlain: true }) : first;
};

const attemptOnce = async (
  { language, settings, mask }: ModelEndpoint,
  request: ModelRequest,
  how: Parameters<typeof buildCallOptions>[2],
): Promise<Attempt> => {
  const knownIds = request.messages.flatMap((message) =>
    message.role === 'assistant' ? message.calls.map(({ callId }) => callId) : [],
  );
  const reading = { mask, knownIds };
  const { onText } = request;
  let isTold = false;
  try {
    how.signal.throwIfAborted();
    const options = buildCallOptions(request, settings, how);
    if (!onText) return { ok: true, answer: readWholeAnswer(await language.doGenerate(options), reading) };
    const { stream } = await language.doStream(options);
    const answer = await readStreamedAnswer(stream, reading, (text) => {
      isTold = true;
      if (!how.signal.aborted) onText(text);
    });
    return { ok: true, answer };
  } catch (error) {
    return { ok: false, outage: how.signal.aborted ? { kind: 'withdrawn' } : toOutage(error), isTold };
  }
};
