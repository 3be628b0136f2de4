/** `tessera teams list|show|grant`: the teams, and what each may grant to its keys. */
import { parseWith } from '@tessera/content-model';
import { listTeams, readTeam, TeamGrants, writeTeam, type Team } from '@tessera/contracts/gateway';
import type { z } from 'zod';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { formatTable } from '../terminal/format.js';
import { reportUsageError, reportFailure, withGateway, type CommandContext, type JsonOption } from './command.js';
import { parseAttributePairs, splitCommaList } from './keys.js';

type ShownTeam = z.output<typeof Team>;

export const listTeamsCommand = (context: CommandContext, { json = false }: JsonOption): Promise<ExitCode> =>
  withGateway(context, async (gateway) => {
    const teams: ShownTeam[] = [];
    for (let after: string | undefined; ;) {
      const answer = await gateway.call(listTeams, { pageSize: 1_000, ...(after !== undefined && { after }) });
      if (!answer.ok) return reportFailure(context, answer.refusal);
      teams.push(...answer.value.teams);
      after = answer.value.next;
      if (after === undefined) break;
    }
    printTeams(context, teams, json ? { teams } : undefined);
    return exitCodes.done;
  });

export const showTeamCommand = (
  context: CommandContext,
  team: string,
  { json = false }: JsonOption,
): Promise<ExitCode> =>
  withGateway(context, async (gateway) => {
    const answer = await gateway.call(readTeam, { team });
    if (!answer.ok) return reportFailure(context, answer.refusal);
    printTeams(context, [answer.value], json ? answer.value : undefined);
    return exitCodes.done;
  });

export type GrantOptions = JsonOption & {
  readonly scopes?: string;
  readonly furtherScopes?: string;
  /** `name=value`; a name several times has several values. */
  readonly attribute?: readonly string[];
  readonly anyAttribute?: readonly string[];
  readonly limit?: string;
  /** Begin with what a team has that has no grants set. */
  readonly standard?: boolean;
};

export const grantTeamCommand = (
  context: CommandContext,
  team: string,
  options: GrantOptions,
): Promise<ExitCode> | ExitCode => {
  const read = readGrants(options);
  if (!read.ok) return reportUsageError(context, read.message);
  if (Object.keys(read.grants).length === 0 && !options.standard)
    return reportUsageError(context, 'nothing to grant: name what changes, or --standard');
  return withGateway(context, async (gateway) => {
    const before = await gateway.call(readTeam, { team });
    if (!before.ok) return reportFailure(context, before.refusal);
    const { name, grants } = before.value;
    const requested = { ...(options.standard ? {} : grants), ...read.grants };
    const answer = await gateway.call(writeTeam, { team, properties: { name, grants: requested } });
    if (!answer.ok) return reportFailure(context, answer.refusal);
    printTeams(context, [answer.value], options.json ? answer.value : undefined);
    return exitCodes.done;
  });
};

type GrantsResult =
  | { readonly ok: true; readonly grants: TeamGrants }
  | { readonly ok: false; readonly message: string };

const readGrants = ({ scopes, furtherScopes, attribute, anyAttribute, limit }: GrantOptions): GrantsResult => {
  const every = Object.fromEntries((anyAttribute ?? []).map((name) => [name, true]));
  const parsed = parseWith(
    TeamGrants,
    {
      ...(scopes !== undefined && { scopes: splitCommaList(scopes) }),
      ...(furtherScopes !== undefined && { furtherScopes: splitCommaList(furtherScopes) }),
      ...((attribute ?? anyAttribute) && { attributes: { ...parseAttributePairs(attribute ?? []), ...every } }),
      ...(limit !== undefined && { hourlyLimit: Number(limit) }),
    },
    'options',
  );
  if (parsed.ok) return { ok: true, grants: parsed.value };
  const messages = parsed.faults.map(({ path, message }) => {
    const [member = ''] = path.split('.');
    return `${optionOf[member] ?? path}: ${message}`;
  });
  return { ok: false, message: messages.join('; ') };
};

const optionOf: Readonly<Record<string, string>> = {
  scopes: '--scopes',
  furtherScopes: '--further-scopes',
  attributes: '--attribute',
  hourlyLimit: '--limit',
};

const printTeams = ({ terminal }: CommandContext, teams: readonly ShownTeam[], json: object | undefined): void => {
  if (json !== undefined) terminal.print(JSON.stringify(json, null, 2));
  else for (const line of formatTable(tableHead, teams.map(rowOfTeam))) terminal.print(line);
};

const tableHead = ['TEAM', 'NAME', 'SCOPES', 'FURTHER SCOPES', 'ATTRIBUTES', 'LIMIT OF A KEY'];

const rowOfTeam = ({ team, name, grants }: ShownTeam): readonly string[] => [
  team,
  name,
  grants.scopes.join(',') || '-',
  grants.furtherScopes.join(',') || '-',
  Object.entries(grants.attributes)
    .map(([attribute, values]) => `${attribute}=${values === true ? '*' : values.join('|')}`)
    .join(' ') || '-',
  String(grants.hourlyLimit),
];
