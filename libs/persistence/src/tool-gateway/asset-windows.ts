/** Where calls of assets are counted, by the minute. */
import type { RateWindowTable } from '../rate-windows.js';

export const assetWindows: RateWindowTable = {
  schema: 'tool_gateway',
  subject: 'asset_id',
  limit: 'calls_per_minute',
  window: 'minute',
};
