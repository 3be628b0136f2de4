/**
 * Announced effects: the caller's client acknowledges that the effect begins before the handler goes on, so a call is never
 * both sent again and carried out here. Never lets an effect begin without that acknowledgement.
 */
import { headers as newHeaders } from '@nats-io/transport-node';
import type { NatsLink } from './nats-link.js';
import type { RunningCall } from './running-call.js';
import { headerNames } from './wire.js';

/** The caller does not know of the effect, or has left: it must not begin. */
export class EffectRefusedError extends Error {
  override readonly name = 'EffectRefused';
}

export class EffectAnnouncements {
  readonly #waiting = new Map<string, { readonly call: RunningCall; readonly known: PromiseWithResolvers<void> }>();

  constructor(
    private readonly link: NatsLink,
    /** The subject that takes the word of the client, made of the id of the announcement. */
    private readonly subjectOf: (id: string) => string,
  ) {}

  async announce(call: RunningCall, id: string): Promise<void> {
    const { connection } = this.link;
    if (connection === undefined || call.aborted) throw new EffectRefusedError(call.operation.name);
    const known = Promise.withResolvers<void>();
    this.#waiting.set(id, { call, known });
    const refuse = () => known.reject(new EffectRefusedError(call.operation.name));
    call.signal.addEventListener('abort', refuse, { once: true });
    const announcement = newHeaders();
    announcement.append(headerNames.working, '1');
    announcement.append(headerNames.effect, this.subjectOf(id));
    connection.publish(call.replySubject, new Uint8Array(0), { headers: announcement });
    try {
      await known.promise;
    } finally {
      call.signal.removeEventListener('abort', refuse);
      this.#waiting.delete(id);
    }
  }

  /** The client knows. */
  confirm(id: string): void {
    this.#waiting.get(id)?.known.resolve();
  }

  /** The client does not know the call any more. */
  refuse(id: string): void {
    this.#waiting.get(id)?.call.abort();
  }

  /** The connection is lost, and with it the word that we wait for. */
  abandon(): void {
    for (const { call, known } of this.#waiting.values()) known.reject(new EffectRefusedError(call.operation.name));
  }
}
