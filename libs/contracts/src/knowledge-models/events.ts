/** Events of knowledge models. They name what changed; consumers read it by the operations. */
import { z } from 'zod';
import { event } from '../event.js';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const modelPublished = event({
  owner: 'knowledge-models',
  type: 'knowledge.model.published',
  summary: 'A version of a knowledge model is what everybody reads from now on',
  data: z.strictObject({ modelId: z.string().min(1), version: count }),
});

export const modelDeleted = event({
  owner: 'knowledge-models',
  type: 'knowledge.model.deleted',
  summary: 'A knowledge model is gone',
  data: z.strictObject({ modelId: z.string().min(1) }),
});

export const tableDeleted = event({
  owner: 'knowledge-models',
  type: 'knowledge.table.deleted',
  summary: 'A table is gone, with its rows',
  data: z.strictObject({ schema: z.string().min(1), table: z.string().min(1) }),
});

export const tableLoaded = event({
  owner: 'knowledge-models',
  type: 'knowledge.table.loaded',
  summary: 'A table has other rows than before',
  data: z.strictObject({ schema: z.string().min(1), table: z.string().min(1), dataVersion: count, rows: count }),
});
