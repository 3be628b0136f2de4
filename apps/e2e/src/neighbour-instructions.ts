/** The instructions for the clients and their results; plain data, because both cross a process boundary. */

/** In paths and bodies `{n}` is a number that was never sent before, and `{id}` what the step before captured. */
export type RequestStep = {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST; JSON unless a header says otherwise. */
  readonly body?: string;
  /** Sent without the key. */
  readonly isAnonymous?: boolean;
  /** Those of right answers; 200 when absent. */
  readonly statuses?: readonly number[];
  /** A pattern whose group is captured from the answer and replaces `{id}` in later steps. */
  readonly capture?: string;
};

/** How a client reads: all of each answer, or none of it: neither a byte, nor a byte more than came with the first. */
export type ResponseReadMode = 'all' | 'stalled';

type CommonInstruction = {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly key: string;
  readonly durationMs: number;
  /** What `{n}` begins at. */
  readonly firstNumber: number;
};

export type OverloadInstruction = CommonInstruction & {
  readonly kind: 'attack';
  readonly connections: number;
  readonly reading: ResponseReadMode;
  /** Each connection repeats the steps, and restarts after a refused one. */
  readonly steps: readonly RequestStep[];
};

export type QuietTeamInstruction = CommonInstruction & {
  readonly kind: 'quiet';
  /** Each step is sent at this interval, independent of earlier answers. */
  readonly everyMs: number;
  readonly steps: Readonly<Record<string, RequestStep>>;
};

export type OverloadAttackResult = {
  readonly requests: number;
  /** Status -> how many answers; `broken` are connections that ended without one. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers 503 and 429 that did not say when to come again. */
  readonly withoutRetryAfter: number;
  readonly bytes: number;
  /** The first answers that were neither right nor a refusal for lack of capacity. */
  readonly others: readonly string[];
};

export type QuietTeamResult = {
  /** By the name of the step, from the moment at which it was due. */
  readonly latenciesMs: Readonly<Record<string, readonly number[]>>;
  /** Whatever was not right, with its beginning. */
  readonly failures: readonly string[];
};
