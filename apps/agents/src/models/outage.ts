/**
 * Why a language model gave no answer, by what happened.
 * Never holds what an endpoint said about it, which may be anything: questions, secrets, addresses.
 */
import { fail, type Result } from '@tessera/failures';
import { OutgoingError, type OutgoingFault } from '@tessera/outgoing-http';

export type OutageKind =
  | 'unreachable'
  | 'broken-off'
  | 'silent'
  | 'too-late'
  | 'withdrawn'
  | 'busy'
  | 'broken'
  | 'refused-credential'
  | 'refused'
  | 'redirected'
  | 'too-large'
  | 'nonsense';

export type Outage = {
  readonly kind: OutageKind;
  /** What the endpoint answered with, if it did. */
  readonly status?: number;
  /** What it asked to wait for. */
  readonly waitMs?: number;
  /** For the log: the kind of an error and where it was thrown, without its words. */
  readonly error?: string;
  readonly at?: string;
};

/** Thrown through the provider that reads the answer; it may come back as the cause of another error. */
export class OutageError extends Error {
  constructor(readonly outage: Outage) {
    super(outage.kind);
  }
}

/** Anything else that was thrown came of an answer that the provider does not understand. */
export const toOutage = (error: unknown): Outage => {
  let cause = error;
  for (let depth = 0; depth < 8 && cause instanceof Error; depth += 1) {
    if (cause instanceof OutageError) return cause.outage;
    if (cause instanceof OutgoingError) return { kind: kindsByFault[cause.fault] };
    cause = cause.cause;
  }
  return { kind: 'nonsense', ...(error instanceof Error && placeOf(error)) };
};

const kindsByFault: Readonly<Record<OutgoingFault, OutageKind>> = {
  unreachable: 'unreachable',
  'unreachable-by-tls': 'unreachable',
  'no-http': 'unreachable',
  'broken-off': 'broken-off',
  silent: 'silent',
  aborted: 'withdrawn',
  'too-large': 'too-large',
};

const placeOf = ({ name, message, stack = '' }: Error): Pick<Outage, 'error' | 'at'> => {
  const frame = /^ +at (.+)$/m.exec(stack.slice(stack.indexOf(message) + message.length))?.[1];
  return { error: name, ...(frame !== undefined && { at: frame }) };
};

/** What is asked again at once. Nonsense is as well: a model says something else the next time. */
const temporaryKinds: readonly OutageKind[] = ['unreachable', 'broken-off', 'busy', 'broken', 'nonsense'];
export const isTemporaryOutage = ({ kind }: Outage): boolean => temporaryKinds.includes(kind);

/** Each continues "The language model ...". */
const outageWords: Readonly<Record<OutageKind, string>> = {
  unreachable: 'could not be reached',
  'broken-off': 'broke its answer off',
  silent: 'did not answer in time',
  'too-late': 'did not answer in time',
  withdrawn: 'was not waited for',
  busy: 'is busy',
  broken: 'is out of order',
  'refused-credential': 'refused the credential of the agent',
  refused: 'refused the request',
  redirected: 'answered with another address, which is not followed',
  'too-large': 'answered more than fits',
  nonsense: 'answered what cannot be understood',
};

const soonSeconds = 5;
/** For what a person has to mend. */
const laterSeconds = 60;
const needsOperator: readonly OutageKind[] = ['refused-credential', 'refused', 'redirected', 'too-large'];
const waitSecondsMax = 3_600;

export const toOutageFailure = (outage: Outage): Result<never> => {
  const requestedSeconds = Math.ceil((outage.waitMs ?? 0) / 1_000);
  const least = needsOperator.includes(outage.kind) ? laterSeconds : soonSeconds;
  return fail('AGENT_MODEL_UNAVAILABLE', `The language model ${outageWords[outage.kind]}.`, {
    retryAfterSeconds: Math.min(Math.max(requestedSeconds, least), waitSecondsMax),
  });
};
