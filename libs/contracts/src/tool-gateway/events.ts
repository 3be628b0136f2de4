/** Events of assets. They name what changed; consumers read it by the operations. */
import { z } from 'zod';
import { event } from '../event.js';

export const assetPublished = event({
  owner: 'tool-gateway',
  type: 'tools.asset.published',
  summary: 'A version of an asset is what everybody calls from now on',
  data: z.strictObject({ assetId: z.string().min(1), version: z.int().min(1).max(Number.MAX_SAFE_INTEGER) }),
});

export const assetDeleted = event({
  owner: 'tool-gateway',
  type: 'tools.asset.deleted',
  summary: 'An asset is gone',
  data: z.strictObject({ assetId: z.string().min(1) }),
});
