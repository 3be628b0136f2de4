/** `tessera roles list|define|remove`: the roles of a team, the built-in ones among them. */
import { parseWith } from '@tessera/content-model';
import { deleteRole, listRoles, writeRole, type AccessRole } from '@tessera/contracts/gateway';
import type { z } from 'zod';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { formatTable } from '../terminal/format.js';
import { reportFailure, reportUsageError, withGateway, type CommandContext } from './command.js';
import { splitCommaList } from './keys.js';
import type { TeamOptions } from './members.js';

type ShownRole = z.output<typeof AccessRole>;

export type RoleOptions = TeamOptions & {
  readonly scopes: string;
  readonly furtherScopes?: string;
  readonly description?: string;
};

export const listRolesCommand = (context: CommandContext, { team, json = false }: TeamOptions): Promise<ExitCode> =>
  withGateway(context, async (gateway) => {
    const answer = await gateway.call(listRoles, { team });
    if (!answer.ok) return reportFailure(context, answer.refusal);
    printRoles(context, answer.value.roles, json ? { team, ...answer.value } : undefined);
    return exitCodes.done;
  });

export const defineRoleCommand = (
  context: CommandContext,
  role: string,
  { team, scopes, furtherScopes, description, json = false }: RoleOptions,
): Promise<ExitCode> | ExitCode => {
  const properties = {
    scopes: splitCommaList(scopes),
    ...(furtherScopes !== undefined && { furtherScopes: splitCommaList(furtherScopes) }),
    ...(description !== undefined && { description }),
  };
  const request = parseWith(writeRole.request, { team, role, properties }, 'options');
  if (!request.ok)
    return reportUsageError(context, request.faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
  return withGateway(context, async (gateway) => {
    const answer = await gateway.call(writeRole, request.value);
    if (!answer.ok) return reportFailure(context, answer.refusal);
    printRoles(context, [answer.value], json ? answer.value : undefined);
    return exitCodes.done;
  });
};

export const removeRoleCommand = (
  context: CommandContext,
  role: string,
  { team, json = false }: TeamOptions,
): Promise<ExitCode> =>
  withGateway(context, async (gateway) => {
    const answer = await gateway.call(deleteRole, { team, role });
    if (!answer.ok) return reportFailure(context, answer.refusal);
    context.terminal.print(json ? JSON.stringify(answer.value, null, 2) : `${team} has no role ${role} any more.`);
    return exitCodes.done;
  });

const printRoles = ({ terminal }: CommandContext, roles: readonly ShownRole[], json: object | undefined): void => {
  if (json !== undefined) terminal.print(JSON.stringify(json, null, 2));
  else for (const line of formatTable(tableHead, roles.map(rowOfRole))) terminal.print(line);
};

const tableHead = ['ROLE', 'SCOPES', 'FURTHER SCOPES', 'DEFINED BY', 'DESCRIPTION'];

const rowOfRole = ({ name, scopes, furtherScopes, builtIn, description }: ShownRole): readonly string[] => [
  name,
  scopes.join(',') || '-',
  furtherScopes.join(',') || '-',
  builtIn ? 'the platform' : 'the team',
  description,
];
