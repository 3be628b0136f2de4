/**
 * The loop of a turn: asks the model and makes its calls until it answers or a limit is reached. Each step is stored before the
 * model is asked again, and before a call that has an effect. Never exceeds a limit of the agent.
 */
import type { TokenUsage, TurnStep, TurnStop } from '@tessera/contracts/agents';
import { waitForEventLoopTurn } from '@tessera/fair-queue';
import { succeed, type Failure, type Result } from '@tessera/failures';
import type { JsonObject, ModelAnswer, ModelMessage, ModelTool, ModelToolCall } from '../models/model.js';
import type { AgentTool } from '../tools/agent-tool.js';
import { AnswerGrounding } from './answer-grounding.js';
import { type ToolCallResult, ToolCaller, raceWithAbort } from './call-tools.js';
import { requestStructuredOutput, type StructuredOutput } from './structured-output.js';
import { closingMessage, formatStopNotice, createSystemMessage } from './system-message.js';
import { isTold, type TurnEnd, type TurnOutcome, type TurnInput, type TurnSink } from './turn.js';
import { fitContextWindow } from './window.js';

/** Rejects when a step could not be stored, and by a bug of the model or a tool. */
export const runTurn = (question: TurnInput, sink: TurnSink): Promise<TurnEnd> => new TurnRun(question, sink).run();

type AskOptions = {
  readonly mayCall: boolean;
  readonly isOutput?: boolean;
  readonly further?: readonly ModelMessage[];
};

class TurnRun {
  readonly #caller: ToolCaller;
  readonly #grounding: AnswerGrounding;
  readonly #system: ModelMessage;
  readonly #tools: readonly ModelTool[];
  readonly #said: ModelMessage[];
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  #unstored: TurnStep[] = [];
  #modelCalls = 0;
  #modelMs = 0;
  #toolMs = 0;
  /** What the model said last, beside calls or alone. */
  #text = '';
  #isAnswer = false;
  /** What was streamed of an answer that is not whole. */
  #streamed = '';
  #isRetried = false;
  /** Why a tool of the last step was away. */
  #outage: Failure | undefined;

  constructor(
    private readonly question: TurnInput,
    private readonly sink: TurnSink,
  ) {
    const { agent, today, message, tools } = question;
    this.#caller = new ToolCaller(question, sink.emit);
    this.#grounding = new AnswerGrounding(question);
    this.#system = createSystemMessage(agent.definition, today);
    this.#tools = tools.map(modelTool);
    this.#said = [{ role: 'user', text: message }];
  }

  async run(): Promise<TurnEnd> {
    const outcome = await this.#answer();
    return {
      outcome,
      usage: this.#usage,
      steps: this.#unstored,
      modelCalls: this.#modelCalls,
      modelMs: this.#modelMs,
      toolMs: this.#toolMs,
    };
  }

  async #answer(): Promise<TurnOutcome> {
    const { agent, tools } = this.question;
    let closing: TurnStop | undefined;
    for (let step = 1; ; step++) {
      if (step >= agent.limits.steps && tools.length > 0) closing ??= 'steps';
      const answer = await this.#ask(this.#askingFor(closing, step));
      if (answer === undefined) return this.#cut();
      if (!answer.ok) return this.#unanswered(answer.failure);
      const stop = this.#stopOf(answer.value, closing);
      if (stop === 'answered' && this.#asksAgain(answer.value, step)) {
        if (!(await this.#store())) return { state: 'lost' };
        continue;
      }
      if (stop !== undefined) return this.#complete(stop);
      if (!(await this.#callTools(answer.value)) || !(await this.#store())) return { state: 'lost' };
      if (this.question.signal.aborted) return this.#cut();
      if (this.#outage && this.question.model.isRuleBased) return { state: 'interrupted', failure: this.#outage };
      closing = this.#caller.stop;
    }
  }

  #askingFor(closing: TurnStop | undefined, step: number): AskOptions {
    const mayCall = closing === undefined && this.#tools.length > 0;
    return { mayCall, ...(closing !== undefined && step > 1 && { further: [closingMessage] }) };
  }

  /** Undefined: the calls of the answer are made. */
  #stopOf({ finish, calls, usage }: ModelAnswer, closing: TurnStop | undefined): TurnStop | undefined {
    if (finish === 'length' || finish === 'content-filter') return finish;
    if (closing !== undefined) return closing;
    if (calls.length === 0 || this.#tools.length === 0) return 'answered';
    return this.#isOverTokens(usage) ? 'tokens' : undefined;
  }

  /** Once, with what does not hold; rules would only say the same again. */
  #asksAgain({ usage }: ModelAnswer, step: number): boolean {
    const { agent, model } = this.question;
    if (this.#grounding.policy !== 'retry' || this.#isRetried || model.isRuleBased) return false;
    if (step >= agent.limits.steps || this.#isOverTokens(usage)) return false;
    const found = this.#grounding.findingOf(this.#text);
    if (!found) return false;
    this.#isRetried = true;
    this.#said.push({ role: 'assistant', text: this.#text, calls: [] }, { role: 'user', text: found.finding });
    this.#unstored.push({ kind: 'grounding', ...now(), ...found.grounding });
    return true;
  }

  /** Also when the next answer would be, as it reads at least what this one read. */
  #isOverTokens({ inputTokens }: TokenUsage): boolean {
    return this.#tokens + inputTokens >= this.question.agent.limits.tokens;
  }

  get #tokens(): number {
    return this.#usage.inputTokens + this.#usage.outputTokens;
  }

  async #ask({ mayCall, isOutput = false, further = [] }: AskOptions): Promise<Result<ModelAnswer> | undefined> {
    const { team, model, agent, history, deadlineMs, signal } = this.question;
    const tools = this.#tools;
    // Rules, and the prompt of any model, take the event loop for some milliseconds.
    await waitForEventLoopTurn(team);
    const said = [...this.#said, ...further];
    const { emit } = this.sink;
    const onText = (text: string): void => {
      this.#streamed += text;
      emit?.({ name: 'text', data: { text } });
    };
    const at = new Date();
    const begun = performance.now();
    this.#modelCalls++;
    const pending = model.ask({
      messages: fitContextWindow({ model, system: this.#system, tools, history, said }),
      ...{ tools, mayCall, deadlineMs, signal },
      ...(isOutput && agent.definition.outputSchema && { outputSchema: agent.definition.outputSchema }),
      ...(emit && !isOutput && !this.#grounding.holdsText && { onText }),
    });
    const answer = boundAnswer(await raceWithAbort(pending, signal));
    const durationMs = performance.now() - begun;
    this.#modelMs += durationMs;
    if (answer?.ok) this.#keep(answer.value, { at: at.toISOString(), durationMs }, isOutput);
    if (answer?.ok) this.#streamed = '';
    return answer;
  }

  #keep(
    { text, calls, choices, usage }: ModelAnswer,
    when: { at: string; durationMs: number },
    isOutput: boolean,
  ): void {
    this.#usage = {
      inputTokens: sumOfCounts(this.#usage.inputTokens, usage.inputTokens),
      outputTokens: sumOfCounts(this.#usage.outputTokens, usage.outputTokens),
    };
    const said = { ...(text !== '' && { text }), ...(choices && { choices: [...choices] }) };
    this.#unstored.push({ kind: 'model', ...when, ...said, usage });
    if (isOutput) return;
    this.#text = text;
    this.#isAnswer = text !== '' && calls.length === 0;
  }

  /** False when the answer could not be stored. Calls with an effect wait until it is; others have nothing to lose. */
  async #callTools({ text, calls: given }: ModelAnswer): Promise<boolean> {
    this.#markStreamed(text);
    const calls = withOwnIds(given, this.#modelCalls);
    const validated = this.#caller.validate(calls);
    const storing = this.#store();
    if (!validated.areReads && !(await storing)) return false;
    const [isStored, called] = await Promise.all([storing, validated.perform()]);
    if (!isStored) return false;
    this.#said.push({ role: 'assistant', text, calls: calls.map((call, place) => storedStep(call, called[place])) });
    for (const { step, shown } of called) {
      this.#said.push({ role: 'tool', callId: step.callId, tool: step.tool, json: shown });
      this.#unstored.push(step);
      this.#grounding.add(step);
      this.#toolMs += step.durationMs;
    }
    this.#noteOutage(called);
    return true;
  }

  /** Calls that were refused say nothing about tools. */
  #noteOutage(called: readonly ToolCallResult[]): void {
    const away = called.find(({ outage }) => outage !== undefined);
    if (away) this.#outage = away.outage;
    else if (called.some(({ step }) => !step.isError)) this.#outage = undefined;
  }

  async #store(): Promise<boolean> {
    const steps = this.#unstored;
    this.#unstored = [];
    return this.sink.store(steps, this.#usage);
  }

  /** What was shown beside calls, or of an answer that was cut off, is no part of the answer, whose mark does not speak of it. */
  #markStreamed(text: string): void {
    const { emit } = this.sink;
    const mark = emit && text !== '' && !this.#grounding.holdsText ? this.#grounding.markOf(text) : undefined;
    if (mark !== undefined) emit?.({ name: 'text', data: { text: `\n\n${mark}\n\n` } });
  }

  /** What the loop says by itself is no answer where a tool was away. */
  async #complete(stop: TurnStop): Promise<TurnOutcome> {
    if (this.#outage && !this.#isAnswer) return { state: 'interrupted', failure: this.#outage };
    this.#markStreamed(this.#streamed);
    const { outputSchema } = this.question.agent.definition;
    const wantsOutput =
      stop === 'answered' && outputSchema && this.#text !== '' && !this.#grounding.isRefused(this.#text);
    if (!wantsOutput) return this.#conclude(stop, {});
    const output = await this.#requestOutput(outputSchema);
    return 'state' in output ? output : this.#conclude(stop, output);
  }

  #conclude(stop: TurnStop, output: OutputOfTurn): TurnOutcome {
    const { emit } = this.sink;
    const began = performance.now();
    const { grounding, refusal, mark } = this.#grounding.conclude(this.#text, output.structuredOutput);
    const said = refusal ?? this.#text;
    const notice = stop === 'answered' ? undefined : formatStopNotice(stop, this.question.agent.limits);
    const text = [said, notice, mark].filter((part) => part !== undefined && part !== '').join('\n\n');
    const isShown = emit !== undefined && !this.#grounding.holdsText;
    const rest = isShown ? text.slice(said.length) : text;
    if (rest !== '') emit?.({ name: 'text', data: { text: rest } });
    const when = now(began);
    // What was found before the model was asked again is not the last word on its answer.
    if (isTold(grounding) || this.#isRetried) this.#unstored.push({ kind: 'grounding', ...when, ...grounding });
    if (isTold(grounding)) emit?.({ name: 'grounding', data: grounding });
    if (output.structuredOutputFault !== undefined)
      this.#unstored.push({ kind: 'output', ...when, fault: output.structuredOutputFault });
    const kept = refusal === undefined ? output : {};
    return { state: 'completed', stop, text: text || noAnswerText, ...kept, grounding };
  }

  /** Why there is none when the model does not fit it, or has no time or tokens left; a model that fails ends the turn. */
  async #requestOutput(outputSchema: JsonObject): Promise<StructuredOutput | TurnOutcome> {
    const { agent, signal } = this.question;
    this.#said.push({ role: 'assistant', text: this.#text, calls: [] });
    let failed: Failure | undefined;
    const output = await requestStructuredOutput(outputSchema, async (further) => {
      if (this.#tokens >= agent.limits.tokens) return undefined;
      const answer = await this.#ask({ mayCall: false, isOutput: true, further });
      if (answer?.ok) return answer.value.text;
      failed = answer?.failure;
      return undefined;
    });
    if ('structuredOutput' in output) return output;
    if (signal.aborted) return signal.reason === 'seconds' ? output : this.#cut();
    return failed ? { state: 'failed', failure: failed } : output;
  }

  async #unanswered(failure: Failure): Promise<TurnOutcome> {
    return this.question.signal.aborted ? this.#cut() : { state: 'failed', failure };
  }

  async #cut(): Promise<TurnOutcome> {
    switch (this.question.signal.reason) {
      case 'seconds':
        return this.#complete('seconds');
      case 'lost':
        return { state: 'lost' };
      default:
        return { state: 'interrupted' };
    }
  }
}

const modelTool = ({ id, description, inputSchema, isReadOnly }: AgentTool): ModelTool => ({
  name: id,
  ...{ description, inputSchema, isReadOnly },
});

const textCharactersMax = 262_144;
/** Beside calls. */
const remarkCharactersMax = 16_384;
const callsMax = 64;

/** What an endpoint says has no bound of its own. */
const boundAnswer = (answer: Result<ModelAnswer> | undefined): Result<ModelAnswer> | undefined => {
  if (!answer?.ok) return answer;
  const { text, calls, ...rest } = answer.value;
  const charactersMax = calls.length > 0 ? remarkCharactersMax : textCharactersMax;
  return succeed({ ...rest, text: text.slice(0, charactersMax), calls: calls.slice(0, callsMax) });
};

/** An endpoint may count what it likes; what is more than a number holds could not be told. */
const sumOfCounts = (left: number, right: number): number => Math.min(left + right, Number.MAX_SAFE_INTEGER);

/** The call as the model reads it again: its result says what was wrong with arguments that were none. */
const storedStep = (call: ModelToolCall, called: ToolCallResult | undefined): ModelToolCall => ({
  ...call,
  tool: called?.step.tool ?? call.tool,
  ...(typeof called?.step.arguments === 'string' && { arguments: '{}' }),
});

type OutputOfTurn = { readonly structuredOutput?: JsonObject; readonly structuredOutputFault?: string };

/** When a step is, and how long it took. */
const now = (began = performance.now()) => ({ at: new Date().toISOString(), durationMs: performance.now() - began });

const noAnswerText = '(The language model gave no answer.)';

/** Ids that are empty or given twice would mix results up. */
const withOwnIds = (calls: readonly ModelToolCall[], step: number): readonly ModelToolCall[] => {
  const used = new Set<string>();
  return calls.map((call, index) => {
    const callId = call.callId === '' || used.has(call.callId) ? `call-${step}-${index + 1}` : call.callId;
    used.add(callId);
    return { ...call, callId };
  });
};
