/**
 * What the manifests must match, read from the code: version, settings of the programs, secrets, and connections of a
 * replica.
 */
import { readMigrationVariables } from '../../apps/cli/src/operations/database-variables.js';
import { kubernetesSecrets } from '../../apps/cli/src/operations/secret-names.js';
import { readDemoSettings } from '../../apps/launcher/src/settings.js';
import { serviceSchemas } from '../settings/service-schemas.js';
import { readText, workspaceRoot } from '../workspace/files.js';
import { connectionsInCode, connectionSum, type ConnectionSum } from './check-connections.js';
import type { KnownSecrets } from './check-references.js';
import { environmentOf, imageName, type ProgramSettings } from './environment.js';
import type { KubernetesObject, Workload } from './objects.js';
import { textAt } from './tree.js';

const manifest: unknown = JSON.parse(readText(workspaceRoot, 'package.json'));
export const version = textAt(manifest, 'version') ?? '';

const services: readonly (readonly [string, ProgramSettings])[] = Object.entries(serviceSchemas).map(
  ([service, schema]) => [
    `tessera/${service}`,
    {
      names: Object.keys(schema.shape),
      faultsOf: (values) =>
        (schema.safeParse(values).error?.issues ?? []).map(
          ({ path, message }) => `${path.map(String).join('.')}: expected ${message}`,
        ),
    },
  ],
);

const migration: ProgramSettings = {
  names: [
    'DATABASE_URL',
    'ADMIN_KEY',
    ...Object.keys(serviceSchemas).map((service) => `DATABASE_PASSWORD_${service.toUpperCase().replaceAll('-', '_')}`),
  ],
  faultsOf: ({ ADMIN_KEY: _key, ...values }) => {
    const read = readMigrationVariables(values);
    return read.ok ? [] : read.faults;
  },
};

const demo: ProgramSettings = {
  names: ['GATEWAY_URL', 'ADMIN_KEY', 'TESSERA_DEMO', 'TESSERA_HOME'],
  faultsOf: (values) => {
    try {
      readDemoSettings(values, '/tmp');
      return [];
    } catch (error) {
      return [String(error)];
    }
  },
};

/** By image. */
export const programs: Readonly<Record<string, ProgramSettings>> = {
  ...Object.fromEntries(services),
  'tessera/cli': migration,
  'tessera/launcher': demo,
};

/** The secrets of `tessera secrets`, and the makers of the others. */
export const secrets: KnownSecrets = {
  ...Object.fromEntries(kubernetesSecrets.map(({ name, keys }) => [name, Object.keys(keys)])),
  // Optional ones, by people who run the platform.
  'tessera-agents-models': ['MODEL_HOSTS'],
  'tessera-tool-gateway-tools': ['HTTP_TOOL_HOSTS', 'TOOL_SECRETS'],
  'tessera-knowledge-models-databases': ['EXTERNAL_DATABASES'],
  'tessera-knowledge-models-store': [
    'COLUMNAR_STORE_ACCESS_KEY_ID',
    'COLUMNAR_STORE_SECRET_ACCESS_KEY',
    'COLUMNAR_STORE_SIGNING_SECRET',
  ],
  'tessera-knowledge-models-columnar': ['COLUMNAR_URL'],
  // By them or by a certificate manager.
  'tessera-tls': ['tls.crt', 'tls.key'],
  'nats-tls': ['tls.crt', 'tls.key', 'ca.crt'],
  'tessera-postgres-backup': ['ACCESS_KEY_ID', 'ACCESS_SECRET_KEY'],
  // By the operator of PostgreSQL, for the Cluster `postgres`.
  'postgres-superuser': ['username', 'password'],
  'postgres-ca': ['ca.crt'],
};

export const sumOf = (objects: readonly KubernetesObject[]): ConnectionSum =>
  connectionSum(objects, (workload) => perReplica(objects, workload));

const perReplica = (objects: readonly KubernetesObject[], workload: Workload): number | undefined => {
  const container = workload.containers[0];
  const service = container && imageName(container).replace('tessera/', '');
  const schema = service === undefined ? undefined : serviceSchemas[service];
  if (container === undefined || service === undefined || schema === undefined) return undefined;
  const { settings, fixed } = connectionsInCode(workspaceRoot, service);
  const { values } = environmentOf(objects, container);
  return settings.reduce((sum, name) => sum + Number(schema.shape[name]?.parse(values[name])), fixed);
};
