/** The assets of the caller's team, and the tools of one as the caller sees them. */
import { Controller } from '@nestjs/common';
import type { ReplyOf, RequestOf } from '@tessera/contracts';
import { listAssets, listTools, mcpPrefix } from '@tessera/contracts/tool-gateway';
import { succeed, type Result } from '@tessera/failures';
import { Serves, type OperationContext } from '@tessera/messaging';
import { Assets, type AssetVersion } from '../assets/assets.js';
import { AssetTools } from './asset-tools.js';
import type { Tool } from './tool.js';

type Reply = ReplyOf<typeof listTools>;

@Controller()
export class ListToolsHandler {
  constructor(
    private readonly assets: Assets,
    private readonly tools: AssetTools,
  ) {}

  @Serves(listAssets)
  async listAssets(
    { after = '', pageSize }: RequestOf<typeof listAssets>,
    { caller, publicUrl }: OperationContext,
  ): Promise<Result<ReplyOf<typeof listAssets>>> {
    const listed = await this.assets.list(caller.team);
    if (!listed.ok) return listed;
    const left = listed.value.filter(({ assetId }) => assetId > after);
    const page = left.slice(0, pageSize);
    const next = left.length > pageSize ? page.at(-1)?.assetId : undefined;
    return succeed({
      assets: page.map((asset) => toListedAsset(asset, publicUrl)),
      ...(next !== undefined && { next }),
    });
  }

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

const toListedAsset = (
  { assetId, name, description, version, tools, callsPerMinute }: AssetVersion,
  publicUrl: string,
): ReplyOf<typeof listAssets>['assets'][number] => ({
  ...{ id: assetId, name, description, version: String(version), tools: tools.length, callsPerMinute },
  mcp: `${publicUrl}${mcpPrefix}/${encodeURIComponent(assetId)}`,
});

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
