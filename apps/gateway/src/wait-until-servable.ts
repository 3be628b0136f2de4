/**
 * The port opens when requests can be served, so that a balancer that only looks at the connection goes to another replica
 * until then. What stays away does not keep it closed for ever: who asks is then told what is missing.
 */
import type { ServiceProcess } from '@tessera/service-kit';
import type { GatewayConfiguration } from './configuration.js';

type StartDependencies = Pick<ServiceProcess<GatewayConfiguration>, 'link' | 'log' | 'health' | 'databaseRight'>;

export const waitUntilServable = async (
  { link, log, health, databaseRight }: StartDependencies,
  waitMs: number,
): Promise<void> => {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), waitMs);
  const both = Promise.all([databaseRight, link.whenConnected(waitMs)]).then(([, isConnected]) => isConnected);
  const isServable = await Promise.race([both, late.promise]);
  clearTimeout(timer);
  // The process ends while it waits: nobody is to be let in any more.
  if (health.isStopping) await new Promise(() => {});
  if (!isServable) log.warn({ waitMs }, 'listening although NATS or the schema are not there yet');
};
