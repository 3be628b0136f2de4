import { Evidence } from './evidence.entity.js';
import { KeptGeneration } from './kept-generation.entity.js';
import { LoadBatch } from './load-batch.entity.js';
import { ModelVersion } from './model-version.entity.js';
import { Model } from './model.entity.js';
import { IdempotencyRecord, OutboxEvent, TeamState } from './shared.entity.js';
import { TableLoad } from './table-load.entity.js';
import { TeamSchema } from './team-schema.entity.js';
import { TeamTable } from './team-table.entity.js';
import { TokenKey } from './token-key.entity.js';

export { Evidence, KeptGeneration, LoadBatch, Model, ModelVersion, TableLoad, TeamSchema, TeamTable };

/** The tables that the service owns. */
export const knowledgeModelsEntities = [
  Evidence,
  IdempotencyRecord,
  KeptGeneration,
  LoadBatch,
  Model,
  ModelVersion,
  OutboxEvent,
  TableLoad,
  TeamSchema,
  TeamState,
  TeamTable,
  TokenKey,
] as const;
