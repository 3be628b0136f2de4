/** An asset goes with its draft and its versions; the log of its calls stays. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { assetsPrefix, teamPath } from '../parts.js';

export const deleteAsset = operation({
  owner: 'tool-gateway',
  name: 'tools.assets.delete',
  summary: 'Delete an agent-tools asset',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ ...teamPath, assetId: z.string().min(1).max(200).describe('The asset.') }),
  reply: z.object({ deleted: z.string() }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'delete', path: `${assetsPrefix}/assets/{assetId}` },
});
