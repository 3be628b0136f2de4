/**
 * The knowledge models and tables of a workspace through the gateway, all in one request: applied, or only checked.
 * Refuses: files with faults; whoever calls has checked them.
 */
import type { ReplyOf } from '@tessera/contracts';
import { applyDefinitions, type AppliedDefinition, type DefinitionChange } from '@tessera/contracts/knowledge-models';
import type { Fault } from '@tessera/failures';
import { exitCodes, type ExitCode } from '../exit-code.js';
import type { Gateway } from '../gateway/gateway.js';
import type { Refusal } from '../gateway/refusal.js';
import type { PlacedDefinition } from '../workspace/check-definitions.js';
import { FaultBook } from '../workspace/fault-book.js';
import { placeRequestFaults } from '../workspace/place-request-faults.js';
import { refuse, reportFaults, type CommandContext } from './command.js';

export type DefinitionsRequest = {
  readonly team: string;
  readonly definitions: readonly PlacedDefinition[];
  readonly mode: 'publish' | 'draft' | 'check';
  readonly againstDatabase?: boolean;
};

export type AppliedDefinitions = ReplyOf<typeof applyDefinitions>;

/** What came of it, or the exit code of a refusal that was told. */
export const sendDefinitions = async (
  context: CommandContext,
  gateway: Gateway,
  request: DefinitionsRequest,
  json: boolean,
): Promise<AppliedDefinitions | ExitCode> => {
  const { team, definitions, mode, againstDatabase = false } = request;
  if (definitions.length === 0) return { definitions: [], breaks: [] };
  const answer = await gateway.call(applyDefinitions, {
    team,
    apply: { definitions: definitions.map(({ definition }) => definition), mode, againstDatabase },
  });
  return answer.ok ? answer.value : reportRefused(context, definitions, answer.refusal, json);
};

const reportRefused = (
  context: CommandContext,
  definitions: readonly PlacedDefinition[],
  refusal: Refusal,
  json: boolean,
): ExitCode => {
  const faults: readonly Fault[] = refusal.kind === 'refused' ? refusal.problem.faults : [];
  const book = new FaultBook();
  const others = placeRequestFaults(book, definitions, faults);
  if (book.count === 0) return refuse(context, refusal);
  for (const { in: place, path, message } of others) context.terminal.note(`${place} ${path} ${message}`);
  context.terminal.note('The gateway found faults; no knowledge model and no table was changed.');
  reportFaults(context, book, json);
  return exitCodes.faults;
};

/** `knowledge model p2p.base-km`, `table p2p.po_item` */
export const definitionName = ({ kind, id }: AppliedDefinition): string =>
  `${kind === 'Table' ? 'table' : 'knowledge model'} ${id}`;

/** `changed, version 3 (4 changes, 1 breaks)` */
export const appliedLine = (applied: AppliedDefinition): string => {
  const { state, version, changes } = applied;
  const breaking = changes.filter(({ breaks }) => breaks).length;
  const counts = [
    ...(changes.length > 0 ? [`${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`] : []),
    ...(breaking > 0 ? [`${breaking} of them breaking`] : []),
  ];
  const told = state === 'changed' && counts.length > 0 ? ` (${counts.join(', ')})` : '';
  return `${definitionName(applied)}: ${state}${version === undefined ? '' : `, version ${version}`}${told}`;
};

/** `! records.PO_ITEM.attributes.AMOUNT removed` */
export const changeLine = ({ path, change, breaks }: DefinitionChange): string =>
  `  ${breaks ? '!' : ' '} ${path} ${change}`;
