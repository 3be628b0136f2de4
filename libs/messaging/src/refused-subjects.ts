/**
 * Whether NATS permits what a service needs: its subscriptions, answers to every inbox, and calls of other services.
 * Refuses: to disturb anybody; what is asked for cancels no call, and goes to an inbox that nobody has.
 */
import type { Owner } from '@tessera/contracts';
import type { NatsLink } from './nats-link.js';
import { cancelSubjectOf, inboxRoot } from './wire.js';

/** Subjects that NATS refuses to this user; undefined without a connection. */
export const refusedSubjects = (link: NatsLink, calls: readonly Owner[]): Promise<readonly string[] | undefined> =>
  link.refusals([...calls.map(cancelSubjectOf), `${inboxRoot}nobody`]);
