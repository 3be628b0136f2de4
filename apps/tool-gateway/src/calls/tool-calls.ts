/**
 * The one way a tool is called, whatever door the call comes through: authorise, count the quota, check the arguments, run,
 * check the result, log.
 * Refuses: to know a door or a kind of tool.
 */
import type { CallDoor } from '@tessera/contracts/tool-gateway';
import type { Result } from '@tessera/failures';
import type { AssetView } from '../tools/asset-view.js';
import type { Tool, ToolContext, ToolResult } from '../tools/tool.js';

export type ToolCallRequest = {
  readonly view: AssetView;
  readonly tool: Tool;
  readonly door: CallDoor;
  /** As they came; undefined stands for none. */
  readonly arguments: unknown;
};

/** The context of the operation that brought the call. */
export type ToolCallContext = ToolContext & {
  /** See `OperationContext`. */
  readonly announceEffect: () => Promise<void>;
};

export abstract class ToolCalls {
  abstract call(request: ToolCallRequest, context: ToolCallContext): Promise<Result<ToolResult>>;
}
