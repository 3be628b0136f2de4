/**
 * The address of the gateway and the key, from the environment or from the file `env` of the data folder, which the
 * launcher writes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Setting = {
  readonly value: string;
  /** For people: `GATEWAY_URL of the environment`. */
  readonly origin: string;
};

/** `API_KEY` reads as whom it belongs to, `ADMIN_KEY` administers. */
export type KeySetting = 'API_KEY' | 'ADMIN_KEY';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Configuration = {
  readonly gatewayUrl: Setting | undefined;
  readonly adminKey: Setting | undefined;
  readonly apiKey: Setting | undefined;
  /** The file that was looked into, whether it is there or not. */
  readonly environmentFile: string;
  /** What is set in the environment itself: operators never mean the file of a product that runs on this machine. */
  readonly environment: Environment;
};

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** A relative data folder is below the checkout, as for the launcher. */
export const readConfiguration = (environment: NodeJS.ProcessEnv = process.env): Configuration => {
  const environmentFile = join(resolve(checkout, nonEmpty(environment['TESSERA_HOME']) ?? '.tessera'), 'env');
  const written = readEnvironmentFile(environmentFile);
  const setting = (name: string): Setting | undefined => {
    const values = nonEmpty(environment[name]);
    if (values !== undefined) return { value: values, origin: `${name} of the environment` };
    const value = nonEmpty(written.get(name));
    return value === undefined ? undefined : { value, origin: `${name} of ${environmentFile}` };
  };
  return {
    gatewayUrl: setting('GATEWAY_URL'),
    adminKey: setting('ADMIN_KEY'),
    apiKey: setting('API_KEY'),
    environmentFile,
    environment,
  };
};

const nonEmpty = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value.trim();

const readEnvironmentFile = (path: string): ReadonlyMap<string, string> => {
  const values = new Map<string, string>();
  if (!existsSync(path)) return values;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, name, text] = /^(?:export )?([A-Z_][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined && text !== undefined) values.set(name, removeQuotes(text));
  }
  return values;
};

const removeQuotes = (text: string): string =>
  text.length > 1 && text.startsWith("'") && text.endsWith("'") ? text.slice(1, -1).replaceAll(`'\\''`, "'") : text;
