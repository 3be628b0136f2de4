/** Operations that the specs of messaging serve and call; nobody else knows them. */
import { operation, rendered } from '@tessera/contracts';
import { z } from 'zod';

const declare = (name: string, effect: 'read' | 'write' = 'read', timeoutMs = 5000) =>
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
    http: { group: 'A', method: 'get', path: '/trial/:word' },
  });

export const echo = declare('trial.echo');
export const refuse = declare('trial.refuse');
export const breakDown = declare('trial.break');
export const wait = declare('trial.wait', 'read', 30_000);
export const waitShort = declare('trial.wait-short', 'read', 300);
/** Nobody serves it but who a spec lets. */
export const store = declare('trial.store', 'write', 20_000);
export const unserved = declare('trial.unserved');
export const bytes = operation({ ...declare('trial.bytes', 'read', 30_000), reply: rendered(z.unknown()) });
export const endless = operation({ ...declare('trial.endless', 'read', 30_000), reply: rendered(z.unknown()) });
export const brokenStream = operation({ ...declare('trial.broken', 'read', 30_000), reply: rendered(z.unknown()) });
