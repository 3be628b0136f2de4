/** Operations that the specs of messaging serve and call; nobody else knows them. */
import { idempotencyParameter, operation, renderedReply, type Operation } from '@tessera/contracts';
import { z } from 'zod';

/** So long that no call ends at its deadline unless a spec sets the clock forward. */
const timeoutMs = 600_000;

const declare = (name: string, effect: Operation['effect'] = 'read') =>
  operation({
    owner: 'content-repo',
    name,
    summary: name,
    scope: 'content:read',
    effect,
    timeoutMs,
    request: z.strictObject({ word: z.string().min(1), count: z.int().min(0).default(1) }),
    reply: z.object({ text: z.string() }),
    failures: ['CONTENT_NOTFOUND'],
    http: { group: 'A', method: 'get', path: '/trial/{word}' },
  });

export const echoOperation = declare('trial.echo');
export const refusingOperation = declare('trial.refuse');
export const throwingOperation = declare('trial.break');
export const waitingOperation = declare('trial.wait');
/** Nobody serves it but who a spec lets. */
export const storingOperation = declare('trial.store', 'write');
/** A write that may carry a key. */
export const keyedStoringOperation = operation({
  ...declare('trial.store-once', 'write'),
  request: z.strictObject({ word: z.string().min(1), ...idempotencyParameter }),
});
/** Has an effect, of which its caller knows before. */
export const announcedOperation = declare('trial.act', 'announced');
export const unservedOperation = declare('trial.unserved');
export const bytesOperation = operation({ ...declare('trial.bytes'), reply: renderedReply(z.unknown()) });
/** Answers with the status that `count` says: `word` with headers of a protocol, nothing for the word `empty`. */
export const statusReplyOperation = operation({ ...declare('trial.speak'), reply: renderedReply(z.unknown()) });
export const endlessReplyOperation = operation({ ...declare('trial.endless'), reply: renderedReply(z.unknown()) });
export const brokenStreamOperation = operation({ ...declare('trial.broken'), reply: renderedReply(z.unknown()) });
