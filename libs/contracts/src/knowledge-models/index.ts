export * from './definitions.js';
export * from './events.js';
export * from './table-definition.js';
export { odataPrefix } from './odata-parts.js';
export {
  fieldsMax,
  KmQueryDataRequest,
  KmQueryRecordDataRequest,
  modelsPrefix,
  pageSizeMax,
  RecordDTO,
  RecordFieldDTO,
} from './parts.js';
export * from './count-odata-entries.js';
export * from './generate-spec.js';
export * from './list-filters.js';
export * from './list-kpis.js';
export * from './list-models.js';
export * from './list-records.js';
export * from './post-model-query.js';
export * from './post-record-query.js';
export * from './query-model-data.js';
export * from './query-record-data.js';
export * from './read-model.js';
export * from './read-model-data.js';
export * from './read-model-query.js';
export * from './read-odata-entries.js';
export * from './read-odata-entry.js';
export * from './read-odata-metadata.js';
export * from './read-odata-service.js';
export * from './read-record.js';
export * from './read-record-data.js';
export * from './read-record-query.js';
export * from './summarise-record.js';
export { type AppliedDefinition, LoadFault, LoadStatus } from './admin/admin-parts.js';
export * from './admin/apply-definitions.js';
export * from './admin/begin-load.js';
export * from './admin/cancel-load.js';
export * from './admin/commit-load.js';
export * from './admin/delete-model.js';
export * from './admin/explain-query.js';
export * from './admin/export-definitions.js';
export * from './admin/read-load.js';
export * from './admin/stage-rows.js';
export * from './tools/describe-for-tools.js';
export * from './tools/get-insights.js';
export * from './tools/load-data.js';
export * from './tools/name-models.js';
export * from './tools/search-data.js';
export {
  AppliedFilters,
  comparators,
  entityTypes,
  GetInsightsArguments,
  GetInsightsResult,
  GetKnowledgeModelArguments,
  Insight,
  LoadDataArguments,
  LoadDataResult,
  SearchDataArguments,
  SearchDataResult,
  SearchHit,
  ToolField,
  ToolKpi,
  ToolModel,
} from './tools/tool-parts.js';
