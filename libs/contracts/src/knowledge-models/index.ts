export * from './admin/loads.js';
export * from './admin/model-versions.js';
export * from './admin/models.js';
export * from './definitions.js';
export * from './events.js';
export * from './evidence.js';
export * from './models.js';
export * from './odata-batch.js';
export * from './odata.js';
export {
  type DateGrain,
  dateGrains,
  maxFields,
  maxFilterLength,
  maxFilterValues,
  KmQueryDataRequest,
  KmQueryRecordDataRequest,
  modelsPrefix,
  maxPageSize,
  RecordDTO,
} from './parts.js';
export * from './queries.js';
export * from './table-definition.js';
export * from './tools.js';
