export {
  type CheckedModel,
  checkModel,
  checkModelInSteps,
  findOpenRecords,
  publicationFaultsOf,
} from './check-model.js';
export {
  checkColumns,
  columnsOfTable,
  createdTypes,
  definedTable,
  type DatabaseColumn,
  type ReadableSchema,
  type ReadableTable,
  type SchemaColumns,
  type TableColumns,
} from './check-columns.js';
export { checkTable, currentColumnName } from './check-table.js';
export type * from './columnar/columnar-query.js';
export type { ColumnarObstacle } from './columnar/columnar-obstacle.js';
export { compileColumnarQuery, type ColumnarQuestion } from './columnar/compile-columnar-query.js';
export {
  clickhouseCsv,
  printClickhouse,
  readClickhouseGroups,
  type ClickhouseSource,
} from './columnar/print-clickhouse.js';
export { printDuckdb, readDuckdbGroups } from './columnar/print-duckdb.js';
export {
  type ColumnarGroups,
  type ColumnarReader,
  ColumnarRefusal,
  type ColumnarRefusalReason,
  type ColumnarTables,
} from './columnar/columnar-reader.js';
export {
  clickhouseStorage,
  duckdbStorage,
  addMeasurements,
  measuringCells,
  planStoredColumns,
  type ColumnMeasurement,
  type StorageDialect,
  type StoredColumns,
  type StoredColumnType,
} from './columnar/stored-columns.js';
export { compileQuery, bindLinkParameters } from './compile-query.js';
export { parseKnowledgeModel, parseTable } from './parse-definitions.js';
export { compareModels, compareTables } from './diff/compare-definitions.js';
export { aggregateFunctions } from './expression/formula.js';
export { referencedRecords } from './expression/typed-expression.js';
export { sqlTypes } from './expression/compile-cast.js';
export { type CompiledInsights, compileInsights, type InsightQuery } from './insights/compile-insights.js';
export { type KnowledgeModelDefinitions, resolveInheritance } from './model/inherit.js';
export {
  type FieldModel,
  type FilterModel,
  type KnowledgeModel,
  type KpiModel,
  normaliseModel,
  type RecordModel,
} from './model/knowledge-model.js';
export { createToOneLookup } from './model/to-one-records.js';
export {
  type ColumnReading,
  type ColumnType,
  columnReadingOf,
  type DatabaseReading,
  databaseTypes,
  fieldTypeOf,
} from './model/database-types.js';
export { findDefinitionPath } from './model/place.js';
export { planQuery } from './plan/plan-query.js';
export { policyLookupsOf } from './plan/policy-paths.js';
export type {
  GrainPlan,
  JoinedRecord,
  PlannedOrder,
  PlannedRecord,
  QueryPlan,
  RowCondition,
  RowSource,
} from './plan/query-plan.js';
export { findJoinPath } from './plan/join-paths.js';
export {
  type CallerView,
  createCallerView,
  callerViewCacheKey,
  findRecord,
  type QueryableModel,
} from './query/caller-view.js';
export type {
  CompiledQuery,
  CompiledStatement,
  DataQuery,
  DataSearch,
  FieldAggregate,
  LinkedRowsSource,
  LinkValues,
  ComputedOrderValue,
  ParsedFilter,
  QueryCaller,
  ResultColumn,
} from './query/data-query.js';
export { fieldsOfValue } from './query/conditions.js';
export { CompiledQueryShape, queryShapeOf } from './query/query-shape.js';
export { computeField } from './query/compute-value.js';
export { isAggregatable, aggregateResultType } from './query/field-aggregate.js';
export {
  type RequestedColumn,
  type RequestedField,
  createFilterLookup,
  type ModelFilter,
  type NamedField,
  type QueryField,
  type RecordField,
} from './query/query-field.js';
export { createRelatedKeyInRange, createRangeKey } from './query/related-range.js';
export { printExpectedNames, maxQueryFaults, type QueryFault, succeedUnlessFaults } from './query/query-fault.js';
export { resolveQuery } from './query/resolve-query.js';
export {
  compileRollupQuery,
  type RollupAbsence,
  type RollupCompilation,
  type UnfitRollup,
} from './rollup/compile-rollup-query.js';
export type { RollupTable } from './rollup/fit-rollup.js';
export { openRollupGrains, printRollupStatements, type RollupGrain } from './rollup/rollup-grain.js';
export { unicodeFormsOf } from './search/fold-text.js';
export { selectBestHits, type ScoredHit } from './search/scored-hit.js';
export { createNameSearch } from './search/search-names.js';
export { indexValues, type SearchedField, searchValues, type ValueIndex } from './search/search-values.js';
export { type CompiledSummary, compileSummary } from './summary/compile-summary.js';
export { columnByGrain } from './query/date-grain.js';
export { readFigures } from './summary/write-summary.js';
