import { parseWith } from '@tessera/content-model';
import type { Operation } from '@tessera/contracts';
import type { z } from 'zod';
import type { ExitCode } from '../exit-code.js';
import { reportUsageError, type CommandContext, type JsonOption } from './command.js';

export type TeamOptions = JsonOption & { readonly team: string };

type Request<Req extends z.ZodObject> =
  | { readonly ok: true; readonly value: z.output<Req> }
  | { readonly ok: false; readonly exitCode: ExitCode };

/** The request of an operation on a storage, or what was wrong with the arguments. */
export const parseStorageRequest = <Req extends z.ZodObject>(
  context: CommandContext,
  { request }: Pick<Operation<Req>, 'request'>,
  address: string,
  members: Readonly<Record<string, unknown>>,
): Request<Req> => {
  const [collection, storage, more] = address.split('/');
  if (!collection || !storage || more !== undefined)
    return {
      ok: false,
      exitCode: reportUsageError(context, `"${address}" is no storage, expected collection/storage.`),
    };
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  const parsed = parseWith(request, { collection, storage, ...Object.fromEntries(given) }, 'arguments');
  if (parsed.ok) return { ok: true, value: parsed.value };
  const message = parsed.faults.map((fault) => `${fault.path}: ${fault.message}`).join('; ');
  return { ok: false, exitCode: reportUsageError(context, message) };
};
