import { z } from 'zod';
import { internalOperation, renderedReply } from '../operation.js';
import { evidenceParameter } from '../preferences.js';
import { storableText } from '../definition-parts.js';
import { teamPathParameters } from './admin/models.js';
import { kpiDirections } from './definitions.js';
import { maxFields, maxFilterLength, maxFilterValues, maxPageSize } from './parts.js';
import { type ValueType, valueType } from './table-definition.js';

const toolModel = { km_id: z.string().min(1).max(200).describe('The knowledge model.') };

const columnId = z.string().min(1).max(200);
const filterValue = storableText(1_000);

const StringFilter = z
  .strictObject({
    column_id: columnId,
    values: z
      .array(filterValue)
      .min(1)
      .max(maxFilterValues)
      .describe(`A row matches when its value is one of these; ${maxFilterLength} characters together at most.`),
    add_wildcard_before: z.boolean().default(false).describe('Any text may stand before the value.'),
    add_wildcard_after: z.boolean().default(false).describe('Any text may stand behind the value.'),
    case_sensitive: z.boolean().default(false),
    negation: z.boolean().default(false).describe('The rows that do not match, also those without a value.'),
  })
  .describe('Compares a column of type string.');

export const comparators = ['=', '!=', '>', '>=', '<', '<='] as const;
const NumericFilter = z
  .strictObject({
    column_id: columnId,
    value: z.number(),
    comparator: z.enum(comparators).default('=').describe('`!=` also keeps rows without a value.'),
  })
  .describe('Compares a column or a KPI of type integer or float; a KPI after it was aggregated.');

const day = z.iso.date();
const DateFilter = z
  .strictObject({
    column_id: columnId,
    start_date: day.optional().describe('The first day, inclusive; open when absent.'),
    end_date: day.optional().describe('The last day, inclusive; open when absent.'),
    negation: z.boolean().default(false).describe('The rows outside of these days, also those without a value.'),
  })
  .describe('Compares a column of type date, datetime or timestamp by its day in UTC; one of both days at least.');

const NullFilter = z
  .strictObject({ column_id: columnId, is_null: z.boolean().default(true) })
  .describe('Keeps the rows without a value, or with `is_null: false` those that have one.');

const BooleanFilter = z
  .strictObject({ column_id: columnId, value: z.boolean().default(true) })
  .describe('Compares a column of type boolean; a row without a value is neither true nor false.');

const filterList = <Filter extends z.ZodType>(filter: Filter) => z.array(filter).max(50).default([]);

export const AppliedFilters = z
  .strictObject({
    string_filters: filterList(StringFilter),
    numeric_filters: filterList(NumericFilter),
    date_filters: filterList(DateFilter),
    boolean_filters: filterList(BooleanFilter),
    null_filters: filterList(NullFilter),
  })
  .describe('All of them hold.');
export type AppliedFilters = z.output<typeof AppliedFilters>;

const filterMembers = {
  applied_filters: AppliedFilters.optional(),
  filters: z.array(columnId).max(200).default([]).describe('Ids of filters of the model; all of them hold.'),
};

export const SearchDataArguments = z.strictObject({
  search_terms: z
    .array(storableText(200).min(1))
    .min(1)
    .max(20)
    .describe('Words to look for, each by itself, e.g. "maverick", "supplier", "Rotterdam". Misspelt ones find too.'),
  user_query: storableText(4_000)
    .default('')
    .describe('The question that the words are from; it helps with the order.'),
});
/** How tools spell the types of columns. */
export const columnTypes = {
  ...{ string: 'STRING', integer: 'INTEGER', float: 'FLOAT', boolean: 'BOOLEAN' },
  ...{ date: 'DATE', time: 'TIME', datetime: 'DATETIME', timestamp: 'TIMESTAMP' },
} as const satisfies Readonly<Record<ValueType, string>>;

const columnType = z
  .enum(columnTypes)
  .describe('`DATETIME` has no time zone, `TIMESTAMP` is an instant; `FLOAT` is any number that may have a fraction.');

const entityTypes = ['Attribute', 'Kpi', 'Filter', 'Value'] as const;
export const SearchHit = z.object({
  id: z
    .string()
    .describe('What other tools take: `RECORD.FIELD`, a KPI or a filter; of a value the field that holds it.'),
  display_name: z.string().describe('Its name; of a value the value.'),
  record_display_name: z.string().describe('The record of the field; empty for KPIs and filters.'),
  column_type: z.union([columnType, z.literal('')]).describe('The type of its values; empty for filters.'),
  entity_type: z.enum(entityTypes),
});
export type SearchHit = z.output<typeof SearchHit>;
export const SearchDataResult = z.object({
  search_result: z.string().describe('JSON: each search term -> the list of what was found for it, best first.'),
  complete: z
    .boolean()
    .describe('False when the time was over before all values were looked at; the same search again finds more.'),
});

export const LoadDataArguments = z.strictObject({
  columns: z
    .array(columnId)
    .min(1)
    .max(maxFields)
    .describe(
      'Ids of KPIs, and of fields as `RECORD.FIELD`; KPIs are aggregated over the fields. Dates also by `RECORD.FIELD:month` (day, week, month, quarter, year), fields also aggregated: `sum(RECORD.FIELD)`, `avg(...)`, `min(...)`, `max(...)`, `count(distinct RECORD.FIELD)`, `count(RECORD)`.',
    ),
  page: z.int().min(0).max(2_000_000_000).default(0).describe('The page, from 0.'),
  page_size: z.int().min(1).max(maxPageSize).default(50).describe('Rows of a page.'),
  order_by: columnId.optional().describe('One of the columns.'),
  ascending: z.boolean().default(true),
  limit: z.int().min(1).max(2_000_000_000).optional().describe('Only the first so many rows count, over all pages.'),
  ...filterMembers,
});
const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
export const LoadDataResult = z.object({
  page: count,
  page_size: count,
  total: count.describe('All rows that match, at most `limit`.'),
  data_frame_content: z.object({
    data: z.array(z.record(z.string(), Cell)).describe('Rows by column id.'),
    schema: z.array(
      z.object({
        id: z.string(),
        type: columnType,
        displayName: z.string(),
        unit: z.string().optional(),
        format: z.string().optional(),
      }),
    ),
  }),
});

export const GetInsightsArguments = z.strictObject({
  kpi: columnId.describe('The id of the KPI.'),
  field_ids: z
    .array(columnId)
    .min(1)
    .max(20)
    .describe('Fields, as `RECORD.FIELD`, whose values are looked at one field after the other.'),
  limit: z.int().min(1).max(1_000).default(20).describe('At most so many insights.'),
  ...filterMembers,
});
const figure = z.number().nullable();
const Insight = z.object({
  field_id: z.string(),
  field_display_name: z.string(),
  value: Cell.describe('The value of the field.'),
  kpi_value: figure.describe('The KPI over the rows with this value.'),
  share_of_rows: z.number().describe('The part of the rows that have this value, 0 to 1.'),
  contribution: figure.describe('How much of the overall value is due to these rows, in the unit of the KPI.'),
});
export const GetInsightsResult = z.object({
  kpi: z.object({ id: z.string(), display_name: z.string(), unit: z.string().optional() }),
  overall_value: figure,
  contribution_is: z
    .enum(['part of the sum', 'weighted difference'])
    .describe(
      'The KPI adds up: its value over these rows. Else: its difference to the overall value, weighted by the share of rows.',
    ),
  insights: z.array(Insight).describe('Of all fields together, the largest contribution first, whatever its sign.'),
});

export const GetKnowledgeModelArguments = z.strictObject({});
const namedMembers = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  synonyms: z.array(z.string()).optional().describe('What else it is called, in any language; absent without any.'),
};
const displayMembers = { unit: z.string().optional(), format: z.string().optional() };
const ToolField = z.object({
  ...namedMembers,
  id: z.string().describe('`RECORD.FIELD`'),
  type: valueType,
  ...displayMembers,
  filterable: z.boolean(),
  sortable: z.boolean(),
});
const ToolKpi = z.object({
  ...namedMembers,
  type: valueType,
  ...displayMembers,
  direction: z.enum(kpiDirections),
  target: z.string().optional(),
  records: z.array(z.string()).describe('Ids of the records that it is computed from, in the order of its formula.'),
});
export const ToolKnowledgeModel = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  records: z.array(
    z.object({
      ...namedMembers,
      identifier: z.array(z.string()).describe('Ids of the fields that together are unique.'),
      leadsTo: z
        .array(z.string())
        .optional()
        .describe('Ids of the records that have one row for each row of this one; absent when there are none.'),
      fields: z.array(ToolField),
    }),
  ),
  kpis: z.array(ToolKpi),
  filters: z.array(z.object(namedMembers)),
});
export type ToolKnowledgeModel = z.output<typeof ToolKnowledgeModel>;

/** What the arguments of a tool may have wrong beside their shape; each fault stands at its argument: `columns.1`. */
const toolQueryFailures = [
  'KM_MODEL_NOTFOUND',
  'TOOL_ARGUMENTS_INVALID',
  'KM_JOIN_NOTFOUND',
  'GENERAL_PARAMETER_MISSMATCH',
] as const;

export const searchData = internalOperation({
  owner: 'knowledge-models',
  name: 'knowledge.tools.searchData',
  summary: 'Search a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({ ...toolModel, arguments: SearchDataArguments }),
  reply: renderedReply(SearchDataResult),
  failures: toolQueryFailures,
});

export const loadData = internalOperation({
  owner: 'knowledge-models',
  name: 'knowledge.tools.loadData',
  summary: 'Load data of a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({ ...toolModel, ...evidenceParameter, arguments: LoadDataArguments }),
  reply: renderedReply(LoadDataResult),
  failures: toolQueryFailures,
});

export const getInsights = internalOperation({
  owner: 'knowledge-models',
  name: 'knowledge.tools.getInsights',
  summary: 'Find what drives a KPI',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({ ...toolModel, ...evidenceParameter, arguments: GetInsightsArguments }),
  reply: renderedReply(GetInsightsResult),
  failures: toolQueryFailures,
});

/** What a knowledge model has, as its caller sees it: the result of get-knowledge-model, and what tools' schemas are made of. */
export const describeModelForTools = internalOperation({
  owner: 'knowledge-models',
  name: 'knowledge.tools.describe',
  summary: 'Describe a knowledge model for tools',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...toolModel,
    known: z.string().max(200).optional().describe('The key of a description that the caller has.'),
  }),
  reply: z.object({
    key: z.string().describe('The same for callers that see the same of the same version of the model.'),
    model: ToolKnowledgeModel.optional().describe('Absent when `known` is its key.'),
  }),
  failures: ['KM_MODEL_NOTFOUND'],
});

/** The ids of a team's models: what definitions of tools and agents may refer to. */
export const listModelNames = internalOperation({
  owner: 'knowledge-models',
  name: 'knowledge.models.name',
  summary: 'Name the knowledge models of a team',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 5_000,
  request: z.strictObject(teamPathParameters),
  reply: z.object({ published: z.array(z.string()), drafts: z.array(z.string()) }),
  failures: ['GENERAL_NOTFOUND'],
});
