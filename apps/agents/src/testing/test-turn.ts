/** A turn without database and services, for specs. */
import { AgentDefinition, AgentLimits, type TurnStep } from '@tessera/contracts/agents';
import { succeed, type Result } from '@tessera/failures';
import type { JsonObject } from '../models/model.js';
import type { AgentTool, ToolAnswer } from '../tools/agent-tool.js';
import { runTurn } from '../turns/run-turn.js';
import type { TurnEnd, TurnEvent, TurnOutcome, TurnInput } from '../turns/turn.js';
import { createScriptedModel, type Script, type ScriptedModel } from './scripted-model.js';

export const createTestTool = (id: string, more: Partial<AgentTool> = {}): AgentTool => ({
  ...{ id, assetId: 'p2p', isDraft: false, title: id, description: `Does ${id}.`, isReadOnly: true },
  inputSchema: { type: 'object' },
  ...more,
});

type RecordedCall = { readonly tool: AgentTool; readonly given: JsonObject };

export type TestTurn = {
  readonly outcome: TurnOutcome;
  readonly end: TurnEnd;
  readonly model: ScriptedModel;
  readonly called: readonly RecordedCall[];
  readonly events: readonly TurnEvent[];
  /** Each time that something was stored. */
  readonly stored: readonly (readonly TurnStep[])[];
};

export type TestTurnOptions = {
  readonly definition?: Partial<AgentDefinition>;
  readonly tools?: readonly AgentTool[];
  readonly answer?: (called: RecordedCall, signal: AbortSignal) => Result<unknown> | Promise<Result<unknown>>;
  /** Beside what every tool answers. */
  readonly answered?: Pick<ToolAnswer, 'evidence'>;
  readonly question?: Partial<TurnInput>;
  readonly isRuleBased?: boolean;
  readonly store?: (steps: readonly TurnStep[]) => boolean;
};

export const runTestTurn = async (script: Script, options: TestTurnOptions = {}): Promise<TestTurn> => {
  const { tools = [createTestTool('load-data'), createTestTool('search-data')], answer = () => succeed({ total: 1 }) } =
    options;
  const model = createScriptedModel(script, { isRuleBased: options.isRuleBased ?? false });
  const definition = AgentDefinition.parse({ kind: 'Agent', id: 'analyst', ...options.definition });
  const called: RecordedCall[] = [];
  const events: TurnEvent[] = [];
  const stored: (readonly TurnStep[])[] = [];
  const question: TurnInput = {
    team: 'meridian',
    ...{ agent: { definition, limits: AgentLimits.parse(definition.limits ?? {}) }, model, tools, history: [] },
    ...{ message: 'How much?', today: '2026-06-30', deadlineMs: Number.MAX_SAFE_INTEGER },
    signal: new AbortController().signal,
    held: { bytesMax: () => Number.MAX_SAFE_INTEGER, add: () => undefined },
    callTool: async (tool, given, signal) => {
      called.push({ tool, given });
      const result = await answer({ tool, given }, signal);
      return result.ok ? succeed({ json: JSON.stringify(result.value), ...options.answered }) : result;
    },
    ...options.question,
  };
  const end = await runTurn(question, {
    emit: (event) => void events.push(event),
    store: async (steps) => {
      stored.push(steps);
      return options.store?.(steps) ?? true;
    },
  });
  return { outcome: end.outcome, end, model, called, events, stored };
};

/** What the model was given of the results of tools, at its last question. */
export const getToolResultsInLastRequest = ({ model }: Pick<TestTurn, 'model'>): readonly JsonObject[] =>
  model.requests.at(-1)?.messages.flatMap((message) => (message.role === 'tool' ? [JSON.parse(message.json)] : [])) ??
  [];
