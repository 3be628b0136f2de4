import { Controller } from '@nestjs/common';
import type { ReplyOf, RequestOf } from '@tessera/contracts';
import { listTools } from '@tessera/contracts/tool-gateway';
import { succeed, type Result } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { Assets } from '../assets/assets.js';
import { AssetTools } from './asset-tools.js';
import type { Tool } from './tool.js';

type Reply = ReplyOf<typeof listTools>;

@Controller()
export class ListToolsHandler {
  constructor(
    private readonly assets: Assets,
    private readonly tools: AssetTools,
  ) {}

  @Serves(listTools)
  async list(request: RequestOf<typeof listTools>, context: OperationContext): Promise<Result<Reply>> {
    const asset = await this.assets.find(context.caller.team, request.asset_id, request.draft);
    if (!asset.ok) return asset;
    const { name, instructions, version } = asset.value;
    const { tools } = await this.tools.visibleTo(asset.value, context);
    return succeed({
      name,
      ...(instructions !== undefined && { instructions }),
      version: String(version),
      tools: tools.map(toListEntry),
    });
  }
}

const toListEntry = ({
  id,
  title,
  description,
  inputSchema,
  outputSchema,
  isReadOnly,
}: Tool): Reply['tools'][number] => ({
  name: id,
  title,
  description,
  inputSchema,
  ...(outputSchema && { outputSchema }),
  isReadOnly,
});
