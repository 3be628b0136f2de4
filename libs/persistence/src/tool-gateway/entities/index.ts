import { AssetVersion } from './asset-version.entity.js';
import { Asset } from './asset.entity.js';
import { IdempotencyRecord, OutboxEvent, RateWindow, TeamState } from './shared.entity.js';
import { ToolCall } from './tool-call.entity.js';

export const toolGatewayEntities = [
  Asset,
  AssetVersion,
  IdempotencyRecord,
  OutboxEvent,
  RateWindow,
  TeamState,
  ToolCall,
] as const;

export { Asset, AssetVersion, ToolCall };
