/** Starts the gateway. */
import 'reflect-metadata';
import { openServiceDatabase } from '@tessera/persistence';
import { findListenFault, startProcess } from '@tessera/service-kit';
import { gatewaySettings } from './configuration.js';
import { builtConsole } from './console.js';
import { openGateway } from './open-gateway.js';
import { waitUntilServable } from './wait-until-servable.js';

const service = await startProcess({
  name: 'gateway',
  settings: gatewaySettings,
  calls: ['agents', 'tool-gateway', 'knowledge-models', 'content-repo'],
  database: ({ DATABASE_URL }) => openServiceDatabase('gateway', DATABASE_URL),
  answersOutages: true,
});
// Without it a revoked key is trusted for a minute, which is no reason to answer nobody.
service.health.register('replicas', () => service.link.hears('replicas'), 'first');
try {
  await waitUntilServable(service, service.configuration.LISTEN_WAIT_MS);
  const gateway = await openGateway(service, builtConsole());
  service.onStop('draining', async () => gateway.startDraining());
  service.onStop('serving', gateway.stopServing);
  service.started();
} catch (error) {
  const fault = findListenFault(error);
  if (fault !== undefined) service.refuse(fault[0] === 'port' ? 'GATEWAY_PORT' : 'GATEWAY_HOST', fault[1]);
  service.log.fatal({ err: error }, 'the gateway cannot start');
  service.end('it cannot start', 1);
}
