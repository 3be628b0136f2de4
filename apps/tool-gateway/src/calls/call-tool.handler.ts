import { Controller } from '@nestjs/common';
import {
  type ByteReply,
  evidenceHeader,
  evidencePreference,
  preferenceAppliedHeader,
  prefersEvidence,
  type RequestOf,
} from '@tessera/contracts';
import { type CallDoor, callTool, callToolForAgent } from '@tessera/contracts/tool-gateway';
import { type Result, succeed } from '@tessera/failures';
import { type AnnouncingContext, createJsonReply, jsonContentType, Serves } from '@tessera/messaging';
import { Assets } from '../assets/assets.js';
import { ToolCalls, withCallOptions } from './tool-calls.js';
import { AssetTools, findTool } from '../tools/asset-tools.js';
import type { ToolResult } from '../tools/tool.js';

type ToolRequest = RequestOf<typeof callTool> | RequestOf<typeof callToolForAgent>;

@Controller()
export class CallToolHandler {
  constructor(
    private readonly assets: Assets,
    private readonly tools: AssetTools,
    private readonly calls: ToolCalls,
  ) {}

  @Serves(callTool)
  call(request: RequestOf<typeof callTool>, context: AnnouncingContext): Promise<Result<ByteReply>> {
    return this.#callThrough('http', request, context);
  }

  @Serves(callToolForAgent)
  run(request: RequestOf<typeof callToolForAgent>, context: AnnouncingContext): Promise<Result<ByteReply>> {
    return this.#callThrough('agent', request, context);
  }

  async #callThrough(door: CallDoor, request: ToolRequest, context: AnnouncingContext): Promise<Result<ByteReply>> {
    const asset = await this.assets.find(context.caller.team, request.asset_id, request.draft);
    if (!asset.ok) return asset;
    const view = await this.tools.visibleTo(asset.value, context);
    const tool = findTool(view, request.tool_id);
    if (!tool.ok) return tool;
    const call = { view, tool: tool.value, door, arguments: request.arguments };
    const result = await this.calls.call(
      call,
      withCallOptions(context, { wantsEvidence: prefersEvidence(request.prefer) }),
    );
    return result.ok ? withEvidence(replyOf(result.value), result.value) : result;
  }
}

const withEvidence = (reply: Result<ByteReply>, { evidence }: ToolResult): Result<ByteReply> =>
  reply.ok && evidence !== undefined
    ? succeed({
        ...reply.value,
        headers: { [evidenceHeader]: evidence, [preferenceAppliedHeader]: evidencePreference },
      })
    : reply;

/** A text is a JSON string; content that is no JSON is shown as the protocol of language models has it. */
const replyOf = ({ bytes, value, content }: ToolResult): Result<ByteReply> =>
  bytes
    ? succeed({ contentType: jsonContentType, body: bytes })
    : createJsonReply(value === undefined ? { content } : value);
