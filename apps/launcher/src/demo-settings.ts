/** Reads the environment of `demo-main`. Never shows the value of a key. */
import { join } from 'node:path';
import { StartError } from '@tessera/local-stack';
import type { Platform } from './load-missing.js';
import { demoSizeIn, type DemoSize, filled } from './settings.js';

type DemoSettings = {
  readonly size: DemoSize;
  readonly platform: Platform;
  readonly folder: string;
};

/** Files go below `temporary` unless TESSERA_HOME says otherwise. */
export const readDemoSettings = (environment: NodeJS.ProcessEnv, temporary: string): DemoSettings => {
  const gatewayUrl = filled(environment['GATEWAY_URL']);
  if (gatewayUrl === undefined || !/^https?:\/\//.test(gatewayUrl) || !URL.canParse(gatewayUrl))
    throw new StartError('GATEWAY_URL is missing or no address; expected one that begins with http:// or https://.');
  const adminKey = filled(environment['ADMIN_KEY']);
  if (adminKey === undefined) throw new StartError('ADMIN_KEY is missing; expected a key with the scope admin.');
  const size = demoSizeIn(environment);
  const home = filled(environment['TESSERA_HOME']) ?? join(temporary, 'tessera');
  return { size, platform: { gatewayUrl: gatewayUrl.replace(/\/+$/, ''), adminKey }, folder: join(home, 'demo', size) };
};
