/** Operations that the specs of messaging serve and call; nobody else knows them. */
import { idempotent, operation, rendered, type Operation } from '@tessera/contracts';
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

export const echo = declare('trial.echo');
export const refuse = declare('trial.refuse');
export const throwError = declare('trial.break');
export const wait = declare('trial.wait');
/** Nobody serves it but who a spec lets. */
export const store = declare('trial.store', 'write');
/** A write that may carry a key. */
export const storeOnce = operation({
  ...declare('trial.store-once', 'write'),
  request: z.strictObject({ word: z.string().min(1), ...idempotent }),
});
/** Has an effect, of which its caller knows before. */
export const act = declare('trial.act', 'announced');
export const unserved = declare('trial.unserved');
export const bytes = operation({ ...declare('trial.bytes'), reply: rendered(z.unknown()) });
/** Answers with the status that `count` says: `word` with headers of a protocol, nothing for the word `empty`. */
export const replyWithStatus = operation({ ...declare('trial.speak'), reply: rendered(z.unknown()) });
export const endless = operation({ ...declare('trial.endless'), reply: rendered(z.unknown()) });
export const brokenStream = operation({ ...declare('trial.broken'), reply: rendered(z.unknown()) });
