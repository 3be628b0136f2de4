/**
 * What a tool is to everything around it: schemas as a caller sees them, and one way to run it. Callers know no kind of tool;
 * a kind knows nothing of its callers. Arguments and results are checked by whoever calls a tool (calls/).
 */
import type { CallFrame, Scope } from '@tessera/contracts';
import type { ToolKnowledgeModel } from '@tessera/contracts/knowledge-models';
import type { ToolKind } from '@tessera/contracts/tool-gateway';
import type { Result } from '@tessera/failures';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Content of the Model Context Protocol beside plain JSON: text, images, audio, resources. */
export type ContentBlock = JsonObject & { readonly type: string };

export type ToolResult = {
  /** What the tool answers; a text stays a text. Absent when there are bytes or content alone. */
  readonly value?: unknown;
  /** The value as JSON text. Of a service of the platform, which answers for its schema, they are passed on as they came. */
  readonly bytes?: Uint8Array;
  /** Shown over MCP in place of the text of `value`. */
  readonly content?: readonly ContentBlock[];
  /** The address of the evidence of the result, when it was asked for and the tool tells figures. */
  readonly evidence?: string;
};

/** What a tool knows of the call. `signal` aborts at the deadline and when the caller has left. */
export type ToolContext = CallFrame & {
  readonly signal: AbortSignal;
  /** Whether the owner of the data shall keep evidence of the result. */
  readonly wantsEvidence?: boolean;
  /** Tells a caller that wants to know how far the call is; does nothing for others. */
  readonly progress?: (done: number, total?: number, message?: string) => void;
};

export type Tool = {
  /** As configured; calls may write `-` for `_` and the other way round. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Calls change nothing, so that one may be made again. */
  readonly isReadOnly: boolean;
  /** JSON Schema 2020-12, of type object. */
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  /**
   * The input schema without the names that the owner of the data judges when it is called, who fills in standards, too;
   * absent when all of it is done here.
   */
  readonly argumentsSchema?: JsonObject;
  /**
   * `arguments_` fit the input schema, standards filled in (see `toArgumentsSchema`). Failures: those of tool calls (TOOL_ARGUMENTS_INVALID with a
   * fault for each argument that only the owner of the data could judge, TOOL_FAILED, SERVICE_UNAVAILABLE, ...).
   */
  readonly run: (arguments_: JsonObject, context: ToolContext) => Promise<Result<ToolResult>>;
};

export type ToolSource = {
  readonly id: string;
  /** `fixture`: made by the service itself, for tests of the protocol. */
  readonly kind: ToolKind | 'fixture';
  /** What its data needs beside `tools:execute`. */
  readonly scope?: Scope;
  /** The knowledge model whose names its schemas have. */
  readonly modelId?: string;
  /** `model`: as the caller sees it; absent when the tool has none, or when the caller does not see it. */
  readonly bind: (model: ToolKnowledgeModel | undefined) => Tool;
};

/** A tool that is the same for every caller. */
export const createFixedToolSource = (tool: Tool, kind: ToolSource['kind'], scope?: Scope): ToolSource => ({
  id: tool.id,
  kind,
  ...(scope && { scope }),
  bind: () => tool,
});
