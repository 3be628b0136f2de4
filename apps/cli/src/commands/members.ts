/** `tessera members list|add|change|password|remove|changes`: the people of a team, what each may do, and who changed it. */
import { parseWith } from '@tessera/content-model';
import {
  deleteMember,
  endMemberAccess,
  listAccessChanges,
  listMembers,
  readMember,
  setPassword,
  writeMember,
  type AccessChange,
  type Member,
} from '@tessera/contracts/gateway';
import type { z } from 'zod';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { formatTable, formatToMinute } from '../terminal/format.js';
import {
  fetchPages,
  reportFailure,
  reportUsageError,
  withGateway,
  type CommandContext,
  type JsonOption,
} from './command.js';
import { parseAttributePairs, splitCommaList } from './keys.js';

type ShownMember = z.output<typeof Member>;
type Properties = z.output<typeof writeMember.request>['properties'];
export type TeamOptions = JsonOption & { readonly team: string };

export type MemberOptions = TeamOptions & {
  readonly name?: string;
  readonly roles?: string;
  readonly furtherScopes?: string;
  /** `name=value`; a name several times has several values. */
  readonly attribute?: readonly string[];
  readonly issuer?: string;
  readonly subject?: string;
  readonly samePerson?: boolean;
  readonly disable?: boolean;
  readonly enable?: boolean;
};

export const listMembersCommand = (context: CommandContext, { team, json = false }: TeamOptions): Promise<ExitCode> =>
  withGateway(context, async (gateway) => {
    const members = await fetchPages(Number.MAX_SAFE_INTEGER, async (page) => {
      const answer = await gateway.call(listMembers, { team, ...page });
      return answer.ok ? { ok: true, value: { entries: answer.value.members, next: answer.value.next } } : answer;
    });
    if (!members.ok) return reportFailure(context, members.refusal);
    printMembers(context, members.value, json ? { team, members: members.value } : undefined);
    return exitCodes.done;
  });

export const addMemberCommand = (
  context: CommandContext,
  memberId: string,
  options: MemberOptions,
): Promise<ExitCode> | ExitCode => {
  const request = readRequest(memberId, { roles: [], ...optionMembers(options) }, options.team);
  if (!request.ok) return reportUsageError(context, request.message);
  return withGateway(context, async (gateway) => {
    const known = await gateway.call(readMember, { team: options.team, memberId });
    if (known.ok) return reportUsageError(context, `${memberId} is a member already; use "members change"`);
    if (known.refusal.kind !== 'refused' || known.refusal.problem.status !== 404)
      return reportFailure(context, known.refusal);
    const answer = await gateway.call(writeMember, request.value);
    if (!answer.ok) return reportFailure(context, answer.refusal);
    printMembers(context, [answer.value], options.json ? answer.value : undefined);
    return exitCodes.done;
  });
};

export const changeMemberCommand = (
  context: CommandContext,
  memberId: string,
  options: MemberOptions,
): Promise<ExitCode> | ExitCode => {
  const changed = optionMembers(options);
  if (Object.keys(changed).length === 0) return reportUsageError(context, 'nothing to change: name what changes');
  return withGateway(context, async (gateway) => {
    const before = await gateway.call(readMember, { team: options.team, memberId });
    if (!before.ok) return reportFailure(context, before.refusal);
    const request = readRequest(memberId, { ...propertiesOf(before.value), ...changed }, options.team);
    if (!request.ok) return reportUsageError(context, request.message);
    const answer = await gateway.call(writeMember, request.value);
    if (!answer.ok) return reportFailure(context, answer.refusal);
    printMembers(context, [answer.value], options.json ? answer.value : undefined);
    return exitCodes.done;
  });
};

export const removeMemberCommand = (
  context: CommandContext,
  memberId: string,
  { team, json = false }: TeamOptions,
): Promise<ExitCode> =>
  withGateway(context, async (gateway) => {
    const answer = await gateway.call(deleteMember, { team, memberId });
    if (!answer.ok) return reportFailure(context, answer.refusal);
    context.terminal.print(
      json ? JSON.stringify(answer.value, null, 2) : `${memberId} is no member of ${team} any more.`,
    );
    return exitCodes.done;
  });

export const endMemberAccessCommand = (
  context: CommandContext,
  memberId: string,
  { team, json = false }: TeamOptions,
): Promise<ExitCode> =>
  withGateway(context, async (gateway) => {
    const answer = await gateway.call(endMemberAccess, { team, memberId });
    if (!answer.ok) return reportFailure(context, answer.refusal);
    const { sessions, clientGrants } = answer.value;
    context.terminal.print(
      json
        ? JSON.stringify(answer.value, null, 2)
        : `${memberId} is signed out: ${sessions} sessions and ${clientGrants} grants of clients ended.`,
    );
    return exitCodes.done;
  });

const passwordBytesMax = 4_096;

/** Of the standard input the first line: a password in the arguments would be in the history of the shell. */
export const setPasswordCommand = async (
  context: CommandContext,
  memberId: string,
  { team, json = false }: TeamOptions,
): Promise<ExitCode> => {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of context.input) {
    read.push(chunk);
    bytes += chunk.length;
    if (bytes > passwordBytesMax || chunk.includes(0x0a)) break;
  }
  const [password = ''] = Buffer.concat(read).toString().split(/\r?\n/, 1);
  const request = parseWith(setPassword.request, { team, memberId, password: { password } }, 'options');
  if (!request.ok)
    return reportUsageError(
      context,
      request.faults
        .map(
          ({ path, message }) =>
            `${path.startsWith('password') ? 'standard input' : (optionOf[path] ?? path)}: ${message}`,
        )
        .join('; '),
    );
  return withGateway(context, async (gateway) => {
    const answer = await gateway.call(setPassword, request.value);
    if (!answer.ok) return reportFailure(context, answer.refusal);
    context.terminal.print(
      json ? JSON.stringify(answer.value, null, 2) : `The password of ${memberId} is set; its sessions have ended.`,
    );
    return exitCodes.done;
  });
};

export const listAccessChangesCommand = (
  context: CommandContext,
  { team, limit: limitText, json = false }: TeamOptions & { readonly limit: string },
): Promise<ExitCode> | ExitCode => {
  const limit = Number(limitText);
  if (!Number.isInteger(limit) || limit < 1)
    return reportUsageError(context, '--limit: expected a number of changes, from 1.');
  return withGateway(context, async (gateway) => {
    const changes = await fetchPages(limit, async (page) => {
      const answer = await gateway.call(listAccessChanges, { team, ...page });
      return answer.ok ? { ok: true, value: { entries: answer.value.changes, next: answer.value.next } } : answer;
    });
    if (!changes.ok) return reportFailure(context, changes.refusal);
    if (json) context.terminal.print(JSON.stringify({ team, changes: changes.value }, null, 2));
    else for (const line of formatTable(logHead, changes.value.map(rowOfChange))) context.terminal.print(line);
    return exitCodes.done;
  });
};

/** What the options name; all else stays as it is. */
const optionMembers = (options: MemberOptions): Readonly<Record<string, unknown>> => {
  const { name, roles, furtherScopes, attribute, issuer, subject, samePerson, disable, enable } = options;
  return {
    ...(name !== undefined && { displayName: name }),
    ...(roles !== undefined && { roles: splitCommaList(roles) }),
    ...(furtherScopes !== undefined && { furtherScopes: splitCommaList(furtherScopes) }),
    ...(attribute && { attributes: parseAttributePairs(attribute) }),
    ...((issuer ?? subject) !== undefined && { identity: { issuer, subject } }),
    ...(samePerson && { samePerson }),
    ...((disable ?? enable) && { disabled: disable === true }),
  };
};

const propertiesOf = (member: ShownMember): Properties => {
  const { displayName, identity, roles, furtherScopes, attributes, disabledAt } = member;
  return {
    ...{ displayName, roles, furtherScopes, attributes },
    ...(identity && { identity }),
    ...(disabledAt !== undefined && { disabled: true }),
  };
};

type RequestResult =
  | { readonly ok: true; readonly value: z.output<typeof writeMember.request> }
  | { readonly ok: false; readonly message: string };

const readRequest = (memberId: string, properties: object, team: string): RequestResult => {
  const parsed = parseWith(writeMember.request, { team, memberId, properties }, 'options');
  if (parsed.ok) return parsed;
  const messages = parsed.faults.map(({ path, message }) => {
    const option = Object.entries(optionOf).find(([member]) => path === member || path.startsWith(`${member}.`))?.[1];
    return `${option ?? path}: ${message}`;
  });
  return { ok: false, message: messages.join('; ') };
};

const optionOf: Readonly<Record<string, string>> = {
  team: '--team',
  memberId: '<id>',
  'properties.displayName': '--name',
  'properties.roles': '--roles',
  'properties.furtherScopes': '--further-scopes',
  'properties.attributes': '--attribute',
  'properties.identity.issuer': '--issuer',
  'properties.identity.subject': '--subject',
};

const printMembers = (
  { terminal }: CommandContext,
  members: readonly ShownMember[],
  json: object | undefined,
): void => {
  if (json !== undefined) terminal.print(JSON.stringify(json, null, 2));
  else for (const line of formatTable(tableHead, members.map(rowOfMember))) terminal.print(line);
};

const tableHead = ['MEMBER', 'NAME', 'ROLES', 'MAY', 'KNOWN AS', 'STATE'];

const rowOfMember = (member: ShownMember): readonly string[] => [
  member.memberId,
  member.displayName,
  member.roles.join(',') || '-',
  [...member.grants.scopes, ...member.grants.furtherScopes].join(',') || '-',
  member.identity === undefined ? '-' : `${member.identity.subject} of ${member.identity.issuer}`,
  member.disabledAt === undefined ? 'active' : `disabled ${formatToMinute(member.disabledAt)}`,
];

const logHead = ['WHEN', 'WHO', 'REQUEST', 'ACTION', 'WHAT', 'DETAIL'];

const rowOfChange = (change: z.output<typeof AccessChange>): readonly string[] => [
  change.changedAt.slice(0, 19).replace('T', ' '),
  `${change.subject} of ${change.subjectTeam}`,
  change.requestId,
  change.action,
  change.target,
  differenceOf(change.before ?? {}, change.after ?? {}),
];

const differenceOf = (before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => ({ name, was: shownValue(before[name]), is: shownValue(after[name]) }))
    .filter(({ was, is }) => was !== is)
    .map(({ name, was, is }) => `${name}: ${was} -> ${is}`)
    .join(' ');

const shownValue = (value: unknown): string => (value === undefined ? '-' : JSON.stringify(value));
