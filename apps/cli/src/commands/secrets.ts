/**
 * `tessera secrets`: new random secrets, as environment lines or manifests on the standard output, or as files for
 * Compose. Never writes over a file.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mintApiKey } from '@tessera/persistence';
import { stringify } from 'yaml';
import { exitCodes, type ExitCode } from '../exit-code.js';
import {
  adminKeyVariable,
  createComposeSecretFiles,
  kubernetesSecrets,
  secretVariables,
} from '../operations/secret-names.js';
import { reportUsageError, type CommandContext } from './command.js';

export type SecretsOptions = {
  readonly format: 'env' | 'kubernetes' | 'compose';
  readonly namespace?: string;
  readonly to?: string;
};

const passwordBytes = 32;
/** As Kubernetes names them. */
const namespaceShape = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

export const secretsCommand = (context: CommandContext, { format, namespace, to }: SecretsOptions): ExitCode => {
  if (namespace !== undefined && format !== 'kubernetes')
    return reportUsageError(context, '--namespace: expected only with --format kubernetes.');
  if (namespace !== undefined && !namespaceShape.test(namespace))
    return reportUsageError(context, '--namespace: expected lower-case letters, digits and - in between, at most 63.');
  if ((to !== undefined) !== (format === 'compose'))
    return reportUsageError(context, '--to: expected with --format compose, and only there: the folder of its files.');
  const secrets = new Map(secretVariables.map((variable) => [variable, newSecret(variable)]));
  if (to !== undefined) return writeFiles(context, to, createComposeSecretFiles(secrets));
  const { note, print } = context.terminal;
  note('New secrets; they are shown this once. Write them where only those may read who run the platform.');
  if (format === 'env') for (const [variable, value] of secrets) print(`${variable}=${value}`);
  else
    for (const manifest of secretManifests(secrets, namespace ?? 'tessera'))
      print(`---\n${stringify(manifest).trimEnd()}`);
  return exitCodes.done;
};

/** In letters that need no escape in an address; a nats-server takes what begins with a digit or - for a number. */
const newSecret = (variable: string): string =>
  variable === adminKeyVariable ? mintApiKey().key : `p${randomBytes(passwordBytes).toString('base64url')}`;

/**
 * The folder is its owner's alone. Containers are given single files of it and read them as users of their own, so a file
 * may be read by whoever is let into the folder.
 */
const writeFiles = (context: CommandContext, folder: string, files: ReadonlyMap<string, string>): ExitCode => {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    return reportUsageError(
      context,
      `--to: expected a folder that is empty or not there; ${folder} has files, perhaps the passwords of a platform that runs.`,
    );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  for (const [name, text] of files) {
    writeFileSync(join(folder, name), text, { flag: 'wx' });
    chmodSync(join(folder, name), 0o644);
  }
  context.terminal.note(
    `New secrets are in ${folder}; docker/compose.yaml reads docker/secrets. Keep them with the data.`,
  );
  return exitCodes.done;
};

const secretManifests = (secrets: ReadonlyMap<string, string>, namespace: string) =>
  kubernetesSecrets.map(({ name, keys }) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { 'app.kubernetes.io/part-of': 'tessera' } },
    type: 'Opaque',
    stringData: Object.fromEntries(Object.entries(keys).map(([key, variable]) => [key, secrets.get(variable)])),
  }));
