/**
 * `tessera keys create|list|revoke`. A new key is printed once and alone on its line, so that a script can read it.
 * Never prints another key.
 */
import { parseWith } from '@tessera/content-model';
import { scopes } from '@tessera/contracts';
import { createKey, listKeys, NewKey, revokeKey, type ApiKey } from '@tessera/contracts/gateway';
import { findNearestName } from '@tessera/failures';
import type { z } from 'zod';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { formatTable, toInstant, formatToMinute } from '../terminal/format.js';
import {
  fetchPages,
  reportUsageError,
  reportFailure,
  withGateway,
  type CommandContext,
  type JsonOption,
} from './command.js';

export type CreateKeyOptions = JsonOption & {
  readonly team: string;
  readonly name: string;
  readonly scopes: string;
  readonly furtherScopes?: string;
  /** `name=value`; a name several times has several values. */
  readonly attribute?: readonly string[];
  readonly limit?: string;
  readonly expires?: string;
};

export const createKeyCommand = (context: CommandContext, options: CreateKeyOptions): Promise<ExitCode> | ExitCode => {
  const parsed = readNewKey(options);
  if (!parsed.ok) return reportUsageError(context, parsed.message);
  return withGateway(context, async (gateway) => {
    const answer = await gateway.call(createKey, { key: parsed.key });
    if (!answer.ok) return reportFailure(context, answer.refusal);
    const { keyId, key } = answer.value;
    if (options.json) context.terminal.print(JSON.stringify({ keyId, key }, null, 2));
    else {
      context.terminal.note(`Key ${keyId} of ${options.team}; it is shown this once:`);
      context.terminal.print(key);
    }
    return exitCodes.done;
  });
};

type NewKeyResult =
  | { readonly ok: true; readonly key: z.output<typeof NewKey> }
  | { readonly ok: false; readonly message: string };

const readNewKey = (options: CreateKeyOptions): NewKeyResult => {
  const requested = splitCommaList(options.scopes);
  for (const scope of requested) {
    if (scopes.some((known) => known === scope)) continue;
    const suggestion = findNearestName(scope, scopes);
    const hint = suggestion === undefined ? `expected some of ${scopes.join(', ')}` : `did you mean "${suggestion}"?`;
    return { ok: false, message: `--scopes: unknown scope "${scope}"; ${hint}` };
  }
  const expires = options.expires;
  // A day alone ends the key when it begins.
  const expiresAt = expires === undefined ? undefined : toInstant(expires);
  const parsed = parseWith(
    NewKey,
    {
      team: options.team,
      name: options.name,
      scopes: requested,
      ...(options.furtherScopes !== undefined && { furtherScopes: splitCommaList(options.furtherScopes) }),
      ...(options.attribute && { attributes: parseAttributePairs(options.attribute) }),
      ...(options.limit !== undefined && { hourlyLimit: Number(options.limit) }),
      ...(expiresAt !== undefined && { expiresAt }),
    },
    'options',
  );
  if (parsed.ok) return { ok: true, key: parsed.value };
  const messages = parsed.faults.map(
    ({ path, message }) => `${optionOf[path.split('.')[0] ?? ''] ?? path}: ${message}`,
  );
  return { ok: false, message: messages.join('; ') };
};

/** An empty text is an empty list. */
export const splitCommaList = (list: string): readonly string[] =>
  list.trim() === '' ? [] : list.split(',').map((word) => word.trim());

export const parseAttributePairs = (pairs: readonly string[]): Readonly<Record<string, readonly string[]>> => {
  const byName = Map.groupBy(pairs, (pair) => pair.split('=')[0] ?? '');
  return Object.fromEntries(
    [...byName].map(([name, ofName]) => [name, ofName.map((pair) => pair.slice(name.length + 1))]),
  );
};

const optionOf: Readonly<Record<string, string>> = {
  team: '--team',
  name: '--name',
  scopes: '--scopes',
  furtherScopes: '--further-scopes',
  attributes: '--attribute',
  hourlyLimit: '--limit',
  expiresAt: '--expires (a day such as 2027-01-31, or a UTC date-time)',
};

export const listKeysCommand = (
  context: CommandContext,
  { team, json = false }: JsonOption & { readonly team: string },
): Promise<ExitCode> =>
  withGateway(context, async (gateway) => {
    const keys = await fetchPages(Number.MAX_SAFE_INTEGER, async (page) => {
      const answer = await gateway.call(listKeys, { team, ...page });
      return answer.ok ? { ok: true, value: { entries: answer.value.keys, next: answer.value.next } } : answer;
    });
    if (!keys.ok) return reportFailure(context, keys.refusal);
    if (json) context.terminal.print(JSON.stringify({ team, keys: keys.value }, null, 2));
    else for (const line of formatTable(tableHead, keys.value.map(rowOfKey))) context.terminal.print(line);
    return exitCodes.done;
  });

const tableHead = ['KEY', 'NAME', 'SCOPES', 'LIMIT', 'CREATED', 'LAST USED', 'STATE'];

const rowOfKey = (key: z.output<typeof ApiKey>): readonly string[] => [
  key.keyId,
  key.name,
  [...key.scopes, ...key.furtherScopes].join(','),
  String(key.hourlyLimit),
  formatToMinute(key.createdAt),
  key.lastUsedAt === undefined ? '-' : formatToMinute(key.lastUsedAt),
  stateOf(key),
];

const stateOf = ({ revokedAt, expiresAt }: z.output<typeof ApiKey>): string => {
  if (revokedAt !== undefined) return `revoked ${formatToMinute(revokedAt)}`;
  if (expiresAt === undefined) return 'valid';
  return `${Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid until'} ${formatToMinute(expiresAt)}`;
};

export const revokeKeyCommand = (
  context: CommandContext,
  keyId: string,
  { team, json = false }: JsonOption & { readonly team?: string },
): Promise<ExitCode> | ExitCode => {
  const request = parseWith(revokeKey.request, { keyId, ...(team !== undefined && { team }) }, 'arguments');
  if (!request.ok)
    return reportUsageError(context, request.faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
  return withGateway(context, async (gateway) => {
    const answer = await gateway.call(revokeKey, request.value);
    if (!answer.ok) return reportFailure(context, answer.refusal);
    context.terminal.print(
      json ? JSON.stringify(answer.value, null, 2) : `Key ${answer.value.keyId} of ${answer.value.team} is revoked.`,
    );
    return exitCodes.done;
  });
};
