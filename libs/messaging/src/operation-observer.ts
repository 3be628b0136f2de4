/** Receives what messaging measured, for metrics. Never names callers and ids, which would be labels without bound. */
import type { FailureCode } from '@tessera/failures';

/** `ok`, the code of the failure, or how a chunked reply ended early: its reader left, or what it was read from went away. */
export type OperationOutcome = 'ok' | FailureCode | 'cancelled' | 'interrupted';

export type OperationObserver = {
  /** A call of ours was answered, or its answer began. */
  called(operation: string, outcome: OperationOutcome, durationMs: number): void;
  /** We answered a call; a chunked reply counts when it ended. */
  served(operation: string, outcome: OperationOutcome, durationMs: number): void;
};

export const silentObserver: OperationObserver = { called: () => {}, served: () => {} };
