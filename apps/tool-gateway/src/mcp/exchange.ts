/** One message of a client, with what answering it needs. Refuses: to be more than data. */
import type { Result } from '@tessera/failures';
import type { AssetView } from '../tools/asset-view.js';
import type { JsonObject, Tool, ToolContext, ToolResult } from '../tools/tool.js';
import type { AnswerShape } from './choose-shape.js';

export type Exchange = {
  readonly view: AssetView;
  readonly headers: {
    readonly protocolVersion?: string | undefined;
    readonly methodHeader?: string | undefined;
    readonly nameHeader?: string | undefined;
  };
  readonly shape: AnswerShape;
  /** Aborts when nobody waits for the answer any more. Made when it is asked for. */
  readonly signal: () => AbortSignal;
  /** A call by the one path of calls, as the caller of this exchange. */
  readonly call: (
    tool: Tool,
    arguments_: JsonObject,
    progress?: ToolContext['progress'],
  ) => Promise<Result<ToolResult>>;
};
