/** Starts the gateway. */
import 'reflect-metadata';
import { startProcess } from '@tessera/service-kit';
import { gatewaySettings } from './configuration.js';
import { openGateway } from './open-gateway.js';

const service = await startProcess({ name: 'gateway', settings: gatewaySettings });
try {
  const gateway = await openGateway(service);
  service.onStop('draining', async () => gateway.startDraining());
  service.onStop('serving', gateway.stopServing);
  service.onStop('resources', gateway.release);
  service.started();
} catch (error) {
  service.log.fatal({ err: error }, 'the gateway cannot start');
  service.end('it cannot start', 1);
}
