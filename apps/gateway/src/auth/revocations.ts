/**
 * Announces revoked keys and tokens, ended grants and changed sessions to all replicas. Best effort: a replica that misses it trusts a
 * key or a token for at most 60 seconds more, a session or a grant for 5; the database holds what is true.
 */
import { Injectable } from '@nestjs/common';
import { NatsLink } from '@tessera/messaging';
import { Authenticator, type SessionSelector } from './authenticator.js';

/** Between the replicas of the gateway, with the shape of what they name; no events, since nothing keeps them. */
const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const announcements = {
  key: { subject: 'replicas.gateway.key-revoked', shape: /^[0-9A-Za-z]{12}$/ },
  token: { subject: 'replicas.gateway.token-revoked', shape: uuidShape },
  grant: { subject: 'replicas.gateway.grant-ended', shape: uuidShape },
};
const sessionsSubject = 'replicas.gateway.sessions-changed';
/** The words of `wordsOf`. */
const changedShape =
  /^(?:session ([0-9a-f-]{36})|sessions ([a-z0-9][a-z0-9-]{0,62})(?: ([a-z0-9][a-z0-9._@+-]{0,127}))?)$/;

@Injectable()
export class RevocationBroadcaster {
  constructor(
    private readonly link: NatsLink,
    private readonly authenticator: Authenticator,
  ) {
    for (const { subject, shape } of Object.values(announcements))
      link.subscribe(subject, (message) => {
        const id = message.string();
        if (shape.test(id)) this.authenticator.revoke(id);
      });
    link.subscribe(sessionsSubject, (message) => {
      const changed = changedIn(message.string());
      if (changed) this.authenticator.forgetSessions(changed);
    });
  }

  announce(kind: keyof typeof announcements, id: string): void {
    this.authenticator.revoke(id);
    this.link.connection?.publish(announcements[kind].subject, id);
  }

  /** After the change was committed. */
  announceSessions(changed: SessionSelector): void {
    this.authenticator.forgetSessions(changed);
    this.link.connection?.publish(sessionsSubject, wordsOf(changed));
  }
}

const wordsOf = (changed: SessionSelector): string =>
  'sessionId' in changed
    ? `session ${changed.sessionId}`
    : ['sessions', changed.team, ...(changed.memberId === undefined ? [] : [changed.memberId])].join(' ');

const changedIn = (words: string): SessionSelector | undefined => {
  const [, sessionId, team, memberId] = changedShape.exec(words) ?? [];
  if (sessionId !== undefined) return { sessionId };
  return team === undefined ? undefined : { team, ...(memberId !== undefined && { memberId }) };
};
