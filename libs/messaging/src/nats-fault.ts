/**
 * What a failed attempt to connect says about the settings: faults that no waiting heals.
 * Refuses: to tell an address, a user or a password, and to judge a server that is only away.
 */
import { errors } from '@nats-io/transport-node';
import { certificateFault } from '@tessera/failures';

export type NatsFault =
  /** NATS does not know the user, or the password is another. */
  | 'user'
  /** The certificate of the server is not trusted. */
  | 'certificate'
  /** The server does not encrypt, and has to. */
  | 'encryption';

const unknownUser = /authorization violation|account authentication expired/i;

export const natsFault = (error: unknown): NatsFault | undefined => {
  if (error instanceof errors.AuthorizationError) return unknownUser.test(error.message) ? 'user' : undefined;
  if (certificateFault(error) !== undefined) return 'certificate';
  return error instanceof errors.ConnectionError && error.message.includes("does not support 'tls'")
    ? 'encryption'
    : undefined;
};
