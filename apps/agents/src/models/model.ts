/** A language model as a turn sees it. */
import type { TokenUsage } from '@tessera/contracts/agents';
import type { Result } from '@tessera/failures';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A call as the model wrote it; its arguments may be no JSON. */
export type ModelToolCall = { readonly callId: string; readonly tool: string; readonly arguments: string };

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelToolCall[] }
  /** `json`: what a tool said, marked as data (turns/tool-value.ts). */
  | { readonly role: 'tool'; readonly callId: string; readonly tool: string; readonly json: string };

export type ModelTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly isReadOnly?: boolean;
};

export type ModelRequest = {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** False: the model has to answer with what it has. */
  readonly mayCall: boolean;
  /** The answer is to be JSON that fits; the caller checks it. */
  readonly outputSchema?: JsonObject | undefined;
  /** Nobody waits for an answer past it, epoch milliseconds. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** The model's endpoint streams when somebody listens. */
  readonly onText?: ((text: string) => void) | undefined;
};

export type ModelAnswer = {
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
  /** When it asks back which of several things is meant: the messages that answer it. The builtin model alone says them. */
  readonly choices?: readonly string[];
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'content-filter';
  readonly usage: TokenUsage;
};

export type Model = {
  /** The provider and its model, e.g. `openai-compatible/small`; recorded with each turn. */
  readonly name: string;
  /** How many tokens it reads at once, and the most it writes in an answer. */
  readonly contextTokens: number;
  readonly outputTokens: number;
  /**
   * Whether it is made of rules, to which a tool that is away is no different from one that finds nothing: a turn with such
   * a call ends without its answer.
   */
  readonly isRuleBased: boolean;
  /**
   * One answer; asked again after a pause while the endpoint is busy (429) or broken (5xx, no connection), inside the
   * deadline, and never once a piece of text was told. Failure: AGENT_MODEL_UNAVAILABLE with the seconds after which it
   * may be tried again. Never rejects.
   */
  readonly ask: (request: ModelRequest) => Promise<Result<ModelAnswer>>;
};
