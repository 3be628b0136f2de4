/**
 * Makes the calls of one step: in parallel when all of them only read, otherwise in sequence. A call that is not allowed
 * (unknown tool, repeated, too many) gets a result that says so, since a model can correct it.
 */
import { canonicalJson } from '@tessera/contracts';
import type { TurnStep, TurnStop } from '@tessera/contracts/agents';
import { normaliseToolId } from '@tessera/contracts/tool-gateway';
import { type Failure, findNearestName } from '@tessera/failures';
import type { JsonObject, ModelToolCall } from '../models/model.js';
import type { AgentTool } from '../tools/agent-tool.js';
import { maxJsonCharacters, parseJsonObject } from './parse-object.js';
import { type ToolOutcome, toAnswerOutcome, toErrorOutcome, toFailureOutcome, toRefusedOutcome } from './tool-value.js';
import type { TurnInput, TurnSink } from './turn.js';

const identicalCallsMax = 3;
const unknownToolsMax = 3;
const callsOfStepMax = 16;
/** Of the results and arguments of a turn together; a result is cut where there is no more room, to no less than the other. */
const turnBytesMax = 4 * 1024 * 1024;
const resultBytesMin = 1_024;
const argumentsMin = 1_024;

export type ToolStep = Extract<TurnStep, { kind: 'tool' }>;
export type ToolCallResult = { readonly step: ToolStep; readonly shown: string; readonly outage?: Failure };

export type ValidatedCalls = {
  /** None of them has an effect. */
  readonly areReads: boolean;
  /** In the order of the calls. */
  readonly perform: () => Promise<readonly ToolCallResult[]>;
};

type ValidatedCall = {
  readonly call: ModelToolCall;
  /** As they are told and kept: the text when it is no JSON. */
  readonly given: unknown;
  readonly run: { readonly tool: AgentTool; readonly given: JsonObject } | ToolOutcome;
};

export class ToolCaller {
  readonly #byKey: ReadonlyMap<string, AgentTool>;
  readonly #same = new Map<string, number>();
  #unknown = 0;
  #bytesLeft = turnBytesMax;
  #stop: TurnStop | undefined;

  constructor(
    private readonly question: Pick<TurnInput, 'agent' | 'tools' | 'callTool' | 'signal' | 'held'>,
    private readonly emit: TurnSink['emit'],
  ) {
    this.#byKey = new Map(question.tools.map((tool) => [normaliseToolId(tool.id), tool]));
  }

  /** Why no further call should be made. */
  get stop(): TurnStop | undefined {
    return this.#stop;
  }

  /** Decides about the calls of a step; nothing has been called when it answers. */
  validate(calls: readonly ModelToolCall[]): ValidatedCalls {
    const validated = calls.map((call, index) => this.#validate(call, index));
    const areReads = validated.every(onlyReads);
    const perform = areReads
      ? () => Promise.all(validated.map((each) => this.#perform(each)))
      : () => this.#performInTurn(validated);
    return { areReads, perform };
  }

  async #performInTurn(validated: readonly ValidatedCall[]): Promise<readonly ToolCallResult[]> {
    const done: ToolCallResult[] = [];
    for (const each of validated) done.push(await this.#perform(each));
    return done;
  }

  #validate(call: ModelToolCall, index: number): ValidatedCall {
    const roomLeft = Math.min(maxJsonCharacters, Math.max(argumentsMin, this.#bytesLeft));
    const parsed = parseJsonObject(call.arguments, roomLeft);
    const given = typeof parsed === 'string' ? call.arguments.slice(0, roomLeft) : parsed;
    const tool = this.#byKey.get(normaliseToolId(call.tool));
    if (index >= callsOfStepMax) return { call, given, run: tooManyCallsOutcome };
    if (tool === undefined) return { call, given, run: this.#unknownTool(call.tool) };
    if (typeof parsed === 'string') return { call, given, run: this.#badArguments(parsed) };
    return { call, given, run: this.#isRepeated(tool, parsed) ? repeatedCallOutcome : { tool, given: parsed } };
  }

  #unknownTool(name: string): ToolOutcome {
    if (++this.#unknown > unknownToolsMax) this.#stop = 'unknown-tools';
    return toFailureOutcome(unknownTool(name, this.question.tools), this.#bytesMax);
  }

  #badArguments(why: string): ToolOutcome {
    return toFailureOutcome({ code: 'AGENT_ARGUMENTS_INVALID', detail: `The arguments: ${why}.` }, this.#bytesMax);
  }

  #isRepeated(tool: AgentTool, given: JsonObject): boolean {
    const key = `${tool.id} ${canonicalJson(given)}`;
    const times = (this.#same.get(key) ?? 0) + 1;
    this.#same.set(key, times);
    if (times > identicalCallsMax) this.#stop = 'repeated-call';
    return times > identicalCallsMax;
  }

  async #perform({ call, given, run }: ValidatedCall): Promise<ToolCallResult> {
    const { callId } = call;
    const tool = call.tool.slice(0, nameCharactersMax);
    const at = new Date();
    const begun = performance.now();
    this.emit?.({ name: 'toolCall', data: { callId, tool, arguments: given } });
    const { shown, text, isError, outage, evidence } = 'tool' in run ? await this.#run(run) : run;
    const bytes = call.arguments.length + Buffer.byteLength(text);
    this.#bytesLeft -= bytes;
    this.question.held.add(bytes);
    const durationMs = Math.round((performance.now() - begun) * 1_000) / 1_000;
    this.emit?.({ name: 'toolResult', data: { callId, tool, isError, durationMs } });
    const step: ToolStep = {
      ...{ kind: 'tool', at: at.toISOString(), durationMs, callId, tool },
      ...{ arguments: given, result: text, isError },
      ...(evidence !== undefined && { evidence }),
    };
    return { step, shown, ...(outage && { outage }) };
  }

  async #run({ tool, given }: { readonly tool: AgentTool; readonly given: JsonObject }): Promise<ToolOutcome> {
    const { callTool, signal } = this.question;
    const answer = signal.aborted ? undefined : await raceWithAbort(callTool(tool, given, signal), signal);
    if (answer === undefined) return timeoutOutcome;
    if (!answer.ok) return toFailureOutcome(answer.failure, this.#bytesMax);
    const { json, evidence } = answer.value;
    return { ...toAnswerOutcome(json, this.#bytesMax), ...(evidence !== undefined && { evidence }) };
  }

  get #bytesMax(): number {
    const { agent, held } = this.question;
    const left = Math.min(this.#bytesLeft, held.bytesMax());
    return Math.min(agent.limits.toolResultBytes, Math.max(resultBytesMin, left));
  }
}

const nameCharactersMax = 200;

const tooManyCallsOutcome = toRefusedOutcome(`A step has at most ${callsOfStepMax} calls; make this one in the next.`);
const repeatedCallOutcome = toRefusedOutcome(
  `The tool was called with these arguments ${identicalCallsMax} times; it answers the same.`,
);

/** What is refused has no effect either. */
const onlyReads = ({ run }: ValidatedCall): boolean => !('tool' in run) || run.tool.isReadOnly;

const unknownTool = (name: string, tools: readonly AgentTool[]) => {
  const ids = tools.map(({ id }) => id);
  const near = findNearestName(name, ids);
  const shown = name.slice(0, nameCharactersMax);
  const hint = near === undefined ? `; expected one of ${ids.join(', ')}.` : `. Did you mean ${near}?`;
  return { code: 'AGENT_TOOL_NOTFOUND', detail: `There is no tool ${shown}${hint}` } as const;
};

const lateError = { code: 'SERVICE_UNAVAILABLE', message: 'The tool did not answer before the turn had to end.' };
/** The turn ended it; that says nothing about the tool. */
const timeoutOutcome = toErrorOutcome(lateError);

/** What `work` resolves with; undefined as soon as the signal aborts. Rejects as the work does. */
export const raceWithAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
