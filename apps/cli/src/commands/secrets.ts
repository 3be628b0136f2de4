/**
 * `tessera secrets`: new random secrets, as environment lines or as manifests. Writes them only to the standard output.
 */
import { randomBytes } from 'node:crypto';
import { mintApiKey } from '@tessera/persistence';
import { stringify } from 'yaml';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { adminKeyVariable, kubernetesSecrets, secretVariables } from '../operations/secret-names.js';
import { reportUsageError, type CommandContext } from './command.js';

export type SecretsOptions = { readonly format: 'env' | 'kubernetes'; readonly namespace?: string };

const passwordBytes = 32;
/** As Kubernetes names them. */
const namespaceShape = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

export const secretsCommand = (context: CommandContext, { format, namespace }: SecretsOptions): ExitCode => {
  if (namespace !== undefined && format !== 'kubernetes')
    return reportUsageError(context, '--namespace: expected only with --format kubernetes.');
  if (namespace !== undefined && !namespaceShape.test(namespace))
    return reportUsageError(context, '--namespace: expected lower-case letters, digits and - in between, at most 63.');
  const secrets = new Map(secretVariables.map((variable) => [variable, newSecret(variable)]));
  const { note, print } = context.terminal;
  note('New secrets; they are shown this once. Write them where only those may read who run the platform.');
  if (format === 'env') for (const [variable, value] of secrets) print(`${variable}=${value}`);
  else
    for (const manifest of manifests(secrets, namespace ?? 'tessera')) print(`---\n${stringify(manifest).trimEnd()}`);
  return exitCodes.done;
};

/** In letters that need no escape in an address; a nats-server takes what begins with a digit or - for a number. */
const newSecret = (variable: string): string =>
  variable === adminKeyVariable ? mintApiKey().key : `p${randomBytes(passwordBytes).toString('base64url')}`;

const manifests = (secrets: ReadonlyMap<string, string>, namespace: string) =>
  kubernetesSecrets.map(({ name, keys }) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { 'app.kubernetes.io/part-of': 'tessera' } },
    type: 'Opaque',
    stringData: Object.fromEntries(Object.entries(keys).map(([key, variable]) => [key, secrets.get(variable)])),
  }));
