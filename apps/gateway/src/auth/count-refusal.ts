/** What happens for a refused credential wherever one is sent: it is counted by its address, and the log has the reason. */
import type { Log } from '@tessera/service-kit';
import type { FastifyRequest } from 'fastify';
import { correlationIdsOf } from '../http/request-recorder.js';
import { type FailedCredentials, maxFailuresPerMinute } from './failed-credentials.js';

/** Seconds to wait when the address has sent too many; undefined when it is told what was wrong. */
export const countRefusedCredential = (
  { ip, exchange }: FastifyRequest,
  reason: string,
  failed: FailedCredentials,
  log: Log,
): number | undefined => {
  const { count, retryAfterSeconds } = failed.count(ip);
  if (retryAfterSeconds === undefined)
    log.info(
      { ...correlationIdsOf(exchange), operation: exchange.operation?.name, reason },
      'a credential was refused',
    );
  else if (count === maxFailuresPerMinute + 1)
    log.warn({ address: ip }, 'too many credentials of an address were refused');
  return retryAfterSeconds;
};
