/**
 * Who calls, and the frame in which a call runs. Made by the gateway from a verified credential, carried in the headers
 * that the messaging library writes. Refuses: credentials themselves.
 */
import type { Scope } from './operation.js';

export type Caller = {
  /** The tenant of everything the call touches. */
  readonly team: string;
  /** The user or program behind the credential, for audit. */
  readonly subject: string;
  readonly scopes: readonly Scope[];
  /** Further claims that row policies may read. */
  readonly attributes?: Readonly<Record<string, unknown>>;
};

/** The team whose callers with scope `admin` may administer every team; others administer their own only. */
export const operatorsTeam = 'operators';

export const mayAdminister = (caller: Caller, team: string): boolean =>
  caller.scopes.includes('admin') && (caller.team === operatorsTeam || caller.team === team);

export type CallFrame = {
  readonly caller: Caller;
  readonly requestId: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** Epoch milliseconds; past it nobody waits for the answer. */
  readonly deadlineMs: number;
  /** Scheme, host and port that the caller used, no trailing slash; every URI in a body begins with it. */
  readonly publicUrl: string;
};
