export { type CheckedModel, checkModel } from './check-model.js';
export { checkTable } from './check-table.js';
export { compileQuery, statementForLinks } from './compile-query.js';
export { parseKnowledgeModel, parseTable } from './parse-definitions.js';
export { compareModels, compareTables } from './diff/compare-definitions.js';
export { referencedRecords } from './expression/typed-expression.js';
export { sqlTypes } from './expression/compile-cast.js';
export { type CompiledInsights, compileInsights, type InsightQuery } from './insights/compile-insights.js';
export { type Definitions, inherit } from './model/inherit.js';
export {
  type FieldModel,
  type FilterModel,
  type KnowledgeModel,
  type KpiModel,
  normaliseModel,
  type RecordModel,
} from './model/knowledge-model.js';
export { placeIn } from './model/place.js';
export { planQuery } from './plan/plan-query.js';
export type {
  GrainPlan,
  JoinedRecord,
  PlannedOrder,
  PlannedRecord,
  QueryPlan,
  RowCondition,
  RowSource,
} from './plan/query-plan.js';
export { joinPathBetween } from './plan/join-paths.js';
export {
  type CallerView,
  callerView,
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
  LinkedFrom,
  LinkValues,
  OrderValue,
  ParsedFilter,
  QueryCaller,
  ResultColumn,
} from './query/data-query.js';
export { fieldsOfValue } from './query/conditions.js';
export { CompiledShape, shapeOf } from './query/query-shape.js';
export { computeField } from './query/compute-value.js';
export { isAggregatable, resultType } from './query/field-aggregate.js';
export {
  type RequestedColumn,
  type RequestedField,
  filterLookup,
  type ModelFilter,
  type NamedField,
  type QueryField,
  type RecordField,
} from './query/query-field.js';
export { besideRange, rangeKey } from './query/related-range.js';
export { expectedOneOf, faultsMax, type QueryFault, succeedUnless } from './query/query-fault.js';
export { resolveQuery } from './query/resolve-query.js';
export { bestHits, type ScoredHit } from './search/scored-hit.js';
export { searchNames } from './search/search-names.js';
export { indexValues, type SearchedField, searchValues, type ValueIndex } from './search/search-values.js';
export { type CompiledSummary, compileSummary } from './summary/compile-summary.js';
