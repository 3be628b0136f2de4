/**
 * Announces a revoked key to all replicas. Best effort: a replica that misses it trusts the key for at most 60 seconds more;
 * the database holds the revocation.
 */
import { Injectable } from '@nestjs/common';
import { NatsLink } from '@tessera/messaging';
import { Authenticator } from './authenticator.js';

/** Between the replicas of the gateway; no event, since nothing keeps it. */
const subject = 'replicas.gateway.key-revoked';
const keyIdShape = /^[0-9A-Za-z]{12}$/;

@Injectable()
export class Revocations {
  constructor(
    private readonly link: NatsLink,
    private readonly authenticator: Authenticator,
  ) {
    link.listen({
      opened: (connection) => {
        link.subscribe(connection, subject, (message) => {
          const keyId = message.string();
          if (keyIdShape.test(keyId)) this.authenticator.revoke(keyId);
        });
      },
    });
  }

  announce(keyId: string): void {
    this.authenticator.revoke(keyId);
    this.link.connection?.publish(subject, keyId);
  }
}
