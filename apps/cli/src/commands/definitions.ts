/**
 * Sends the definitions of a workspace to the gateway, those of each service in one request: to apply them, or only to
 * check them. The files have been checked before.
 */
import type { ReplyOf, DefinitionDifference } from '@tessera/contracts';
import { applyAgents, type AgentDefinition, type AppliedAgent } from '@tessera/contracts/agents';
import { applyModelDefinitions, type AppliedDefinition } from '@tessera/contracts/knowledge-models';
import { applyAssets, type AgentToolsAssetDefinition, type AppliedAsset } from '@tessera/contracts/tool-gateway';
import type { Fault } from '@tessera/failures';
import { exitCodes, type ExitCode } from '../exit-code.js';
import type { GatewayResult, Gateway } from '../gateway/gateway.js';
import type { RequestFailure } from '../gateway/request-failure.js';
import type { DataDefinition, LocatedDefinition } from '../workspace/check-definitions.js';
import { FaultList } from '../workspace/fault-list.js';
import { locateRequestFaults } from '../workspace/locate-faults.js';
import { reportFailure, reportFaults, type CommandContext } from './command.js';
import type { BrokenDefinition } from './broken-agents.js';

type DefinitionsRequest<Definition> = {
  readonly team: string;
  readonly definitions: readonly LocatedDefinition<Definition>[];
  readonly mode: 'publish' | 'draft' | 'check';
};

type DataRequest = DefinitionsRequest<DataDefinition> & { readonly againstDatabase?: boolean };

type AppliedData = ReplyOf<typeof applyModelDefinitions>;
/** A published model that would be refused if it was applied now. */
export type OpenModel = NonNullable<AppliedData['openModels']>[number];
export type AppliedEntry = AppliedDefinition | AppliedAsset | AppliedAgent;

/** A kind of definition whose service takes those of a workspace by themselves. */
export type DefinitionKind<Definition, Done extends AppliedEntry> = {
  readonly send: (
    gateway: Gateway,
    request: DefinitionsRequest<Definition>,
  ) => Promise<GatewayResult<ApplyReply<Done>>>;
  /** What is so when the service refused. */
  readonly unchanged: string;
};
type ApplyReply<Done> = { readonly definitions: readonly Done[] };

export const assetDefinitionKind: DefinitionKind<AgentToolsAssetDefinition, AppliedAsset> = {
  send: (gateway, request) => gateway.call(applyAssets, { team: request.team, apply: applyBody(request) }),
  unchanged: 'no asset was changed',
};

export const agentDefinitionKind: DefinitionKind<AgentDefinition, AppliedAgent> = {
  send: (gateway, request) => gateway.call(applyAgents, { team: request.team, apply: applyBody(request) }),
  unchanged: 'no agent was changed',
};

const applyBody = <Definition>({ definitions, mode }: DefinitionsRequest<Definition>) => ({
  definitions: definitions.map(({ definition }) => definition),
  mode,
});

/** Applies or checks tables and knowledge models; returns the reply, or an exit code after printing a failure. */
export const sendDataDefinitions = async (
  context: CommandContext,
  gateway: Gateway,
  { team, definitions, mode, againstDatabase = false }: DataRequest,
  json: boolean,
): Promise<AppliedData | ExitCode> => {
  if (definitions.length === 0) return { definitions: [], breaks: [] };
  const apply = { ...applyBody({ team, definitions, mode }), againstDatabase };
  const answer = await gateway.call(applyModelDefinitions, { team, apply });
  const unchanged = 'no knowledge model and no table was changed';
  return answer.ok ? answer.value : reportRefusedDefinitions(context, { definitions, unchanged, json }, answer.refusal);
};

export const requestDefinitionsOfKind = async <Definition, Done extends AppliedEntry>(
  gateway: Gateway,
  kind: DefinitionKind<Definition, Done>,
  request: DefinitionsRequest<Definition>,
): Promise<GatewayResult<readonly Done[]>> => {
  if (request.definitions.length === 0) return { ok: true, value: [] };
  const answer = await kind.send(gateway, request);
  return answer.ok ? { ok: true, value: answer.value.definitions } : answer;
};

/** As `sendDataDefinitions`, for definitions of one kind. */
export const sendDefinitionsOfKind = async <Definition, Done extends AppliedEntry>(
  context: CommandContext,
  gateway: Gateway,
  kind: DefinitionKind<Definition, Done>,
  request: DefinitionsRequest<Definition> & { readonly json: boolean },
): Promise<readonly Done[] | ExitCode> => {
  const answer = await requestDefinitionsOfKind(gateway, kind, request);
  if (answer.ok) return answer.value;
  const { definitions, json } = request;
  return reportRefusedDefinitions(context, { definitions, unchanged: kind.unchanged, json }, answer.refusal);
};

type RefusedRequest = {
  readonly definitions: readonly LocatedDefinition<unknown>[];
  readonly unchanged: string;
  readonly json: boolean;
};

/** Prints the faults of a refused request at their places and returns the exit code. */
export const reportRefusedDefinitions = (
  context: CommandContext,
  { definitions, unchanged, json }: RefusedRequest,
  refusal: RequestFailure,
): ExitCode => {
  const faults: readonly Fault[] = refusal.kind === 'refused' ? refusal.problem.faults : [];
  const faultList = new FaultList();
  const others = locateRequestFaults(faultList, definitions, faults);
  if (faultList.count === 0) return reportFailure(context, refusal);
  for (const { in: place, path, message } of others) context.terminal.note(`${place} ${path} ${message}`);
  context.terminal.note(`The gateway found faults; ${unchanged}.`);
  reportFaults(context, faultList, json);
  return exitCodes.faults;
};

const kindNames = {
  Table: 'table',
  KnowledgeModel: 'knowledge model',
  AgentToolsAsset: 'asset',
  Agent: 'agent',
} as const;

/** `knowledge model p2p.base-km`, `table p2p.po_item`, `asset p2p-tools`, `agent p2p-analyst` */
export const formatDefinitionName = ({ kind, id }: Pick<AppliedEntry, 'kind' | 'id'>): string =>
  `${kindNames[kind]} ${id}`;

/** `changed, version 3 (4 changes, 1 breaks)` */
export const formatAppliedDefinition = (applied: AppliedEntry): string => {
  const { state, version, changes } = applied;
  const breaking = changes.filter(({ breaks }) => breaks).length;
  const counts = [
    ...(changes.length > 0 ? [`${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`] : []),
    ...(breaking > 0 ? [`${breaking} of them breaking`] : []),
  ];
  const suffix = state === 'changed' && counts.length > 0 ? ` (${counts.join(', ')})` : '';
  return `${formatDefinitionName(applied)}: ${state}${version === undefined ? '' : `, version ${version}`}${suffix}`;
};

export const formatOpenModel = ({ id, message }: OpenModel): string =>
  `! ${formatDefinitionName({ kind: 'KnowledgeModel', id })}, as it is published: ${message}`;

/** `! agent p2p-analyst does not fit any more: ...`; `verb` says whether it is so or would be. */
export const formatBrokenDefinition = (
  { kind, id, message }: BrokenDefinition,
  verb: 'does not' | 'would not',
): string => `! ${formatDefinitionName({ kind, id })} ${verb} fit any more: ${message}`;

/** `! records.PO_ITEM.attributes.AMOUNT removed` */
export const formatDefinitionDifference = ({ path, change, breaks }: DefinitionDifference): string =>
  `  ${breaks ? '!' : ' '} ${path} ${change}`;
