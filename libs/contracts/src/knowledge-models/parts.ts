/**
 * What the operations of knowledge models share: paths, parameters, the shapes of answers. Names on the wire are those of
 * the specification.
 */
import { z } from 'zod';
import { cardinalities, kpiDirections } from './definitions.js';
import { valueType } from './table-definition.js';

export const modelsPrefix = '/intelligence/api/knowledge-models';
export const modelByIdPrefix = `${modelsPrefix}/{km_id}`;
export const recordByIdPrefix = `${modelByIdPrefix}/records/{record_id}`;

const pathId = (what: string) => z.string().min(1).max(200).describe(what);
export const modelPathParameters = { km_id: pathId('The id of the knowledge model.') };
export const recordPathParameters = { ...modelPathParameters, record_id: pathId('The id of the record.') };

export const maxPageSize = 5_000;
export const maxFields = 200;
const idsMax = 200;
const textMax = 4_000;

const pageParameter = z.int().min(0).max(2_000_000_000).default(0).describe('The page, from 0.');
const pageSize = z.int().min(1).max(maxPageSize).default(50).describe('Entries of a page.');
const pagingParameters = { page: pageParameter, pageSize };
/** Without defaults: CSV has all pages unless one is asked for. */
const optionalPaging = {
  page: pageParameter.unwrap().optional().meta({ default: 0 }),
  pageSize: pageSize.unwrap().optional().meta({ default: 50 }),
};

const sortText = z.string().max(textMax);
export const listOptions = {
  ...pagingParameters,
  sort: sortText
    .optional()
    .describe('One member of the entries; `-` before it for descending. Upper and lower case count as the same.'),
};

const idList = (what: string, max = idsMax) => z.array(z.string().max(200)).max(max).optional().describe(what);

const fieldsLengthMax = 2_048;
const fieldIds = (what: string) =>
  z
    .array(z.string().max(200))
    .max(maxFields)
    .refine(
      (names) => names.join(',').length <= fieldsLengthMax,
      `expected at most ${fieldsLengthMax} characters; a body takes more`,
    )
    .optional()
    .describe(`${what} At most ${fieldsLengthMax} characters together.`);

const dataOptions = ['distinct', 'nototal'] as const;

/** Characters of filters in a body. */
export const maxFilterLength = 64 * 1024;
/** The most values of a list in a filter. */
export const maxFilterValues = 10_000;

const filterExpressions = (charactersMax: number) => z.array(z.string().max(charactersMax)).max(50);
const filterDescription = "Filter expressions, e.g. `COUNTRY eq 'DE'`; repeated, or separated by commas.";

/** What narrows data down. `filterExpr` is split by its owner: a comma may be a part of an expression. */
const filterParameters = {
  filters: idList('Ids of filters of the model; a row has to match all of them.'),
  filterExpr: filterExpressions(textMax)
    .refine(
      (texts) => texts.join('').length <= textMax,
      `expected at most ${textMax} characters together; a body takes more`,
    )
    .optional()
    .describe(`${filterDescription} At most ${textMax} characters together; a body takes ${maxFilterLength}.`)
    .meta({ explode: true }),
};

export const dataParameters = {
  ...filterParameters,
  ...optionalPaging,
  fields: fieldIds(
    'Ids of fields; at the level of the model `record.field`. Dates also by `:day`, `:week`, `:month`, `:quarter` or `:year` behind the id: the first day of the period (a week begins on Monday, a timestamp counts in UTC), by which KPIs are grouped.',
  ),
  sort: sortText
    .optional()
    .describe('Fields or KPIs among those asked for, separated by commas; `-` before one for descending.'),
  options: z
    .array(z.enum(dataOptions))
    .max(10)
    .optional()
    .describe('`distinct`: no row twice; `nototal`: rows are not counted, and the answer has no `total`.'),
  searchTerm: z.string().max(500).optional().describe('What the fields are searched for; not at all when empty.'),
  searchPrecision: z
    .int()
    .min(1)
    .max(100)
    .default(80)
    .describe('100: the field contains the term; less: it is similar to it, the fuzzier the lower.'),
  searchField: z
    .string()
    .max(textMax)
    .optional()
    .describe('The fields that are searched; all of type string when absent.'),
};

/** JSON or CSV. */
export const representationOptions = {
  $format: z
    .enum(['json', 'csv'])
    .optional()
    .describe('`csv`: rows as CSV, all of them unless a page is asked for. When absent, `Accept` decides.'),
  accept: z.string().max(2_000).optional(),
};
export const representationHeaders = { accept: 'accept' } as const;
export const representationMediaTypes = ['application/json; charset=utf-8', 'text/csv; charset=utf-8'] as const;

export const kpiParameters = { kpis: idList('Ids of KPIs; they are aggregated over the fields.') };

export const summaryParameters = {
  filters: filterParameters.filters,
  filterExpr: filterParameters.filterExpr,
  fields: fieldIds('Ids of fields; all when absent.'),
  excludeFields: idList('Ids of fields that are left out.', maxFields),
  sampleSize: z
    .int()
    .min(0)
    .max(maxPageSize)
    .default(10)
    .describe('Rows of the sample, 1 at least; 0 is taken for none.'),
};

/** Ids as one text, separated by commas, or as a list. */
const textOrList = (max: number) =>
  z.union(
    [z.string().max(40_000), z.array(z.string().max(200)).max(max)],
    `expected at most ${max} ids, as a list or separated by commas`,
  );

const projectionMembers = {
  fields: textOrList(maxFields).optional().describe('As the parameter `fields`: a list, or separated by commas.'),
  filters: z
    .strictObject({
      kmFilterNames: idList('Ids of filters of the model.'),
      filterExpr: filterExpressions(maxFilterLength)
        .optional()
        .describe(
          `${filterDescription} At most ${maxFilterLength} characters together, and ${maxFilterValues} values in a list.`,
        )
        .meta({ explode: true }),
    })
    .optional(),
  pagination: z.strictObject({ pageNumber: pageParameter, pageSize }).optional(),
  sort: sortText.optional().describe('As the parameter `sort`.'),
  options: dataParameters.options,
  search: z
    .strictObject({
      term: z.string().max(500),
      field: z.string().max(textMax).optional(),
      precision: z.int().min(0).max(100).default(80),
    })
    .optional(),
};

const kpiMember = {
  kpis: textOrList(idsMax).optional().describe('As the parameter `kpis`: a list, or separated by commas.'),
};

const nullsAreAbsent = 'An optional member that is null counts as absent.';
export const KmQueryRecordDataRequest = z
  .strictObject({ projection: z.strictObject(projectionMembers) })
  .meta({ id: 'KmQueryRecordDataRequest', description: nullsAreAbsent });
export const KmQueryDataRequest = z
  .strictObject({ projection: z.strictObject({ ...projectionMembers, ...kpiMember }) })
  .meta({ id: 'KmQueryDataRequest', description: nullsAreAbsent });

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const text = z.string();

const schemaPageMembers = { page: count, pageSize: count, total: count, sort: text.describe('As it was asked for.') };
const resultPageMembers = {
  ...{ page: count, pageSize: count },
  total: count.optional().describe('All rows that match; not with the option `nototal`.'),
  sort: z.array(text),
};

const schemaPage = <Entry extends z.ZodType>(id: string, entry: Entry) =>
  z.object({ ...schemaPageMembers, content: z.array(entry) }).meta({ id });

const KnowledgeModelSimplifiedDTO = z
  .object({ id: text, name: text, published: text.describe('`YYYY-MM-DD HH:MM:SS`, UTC.') })
  .meta({ id: 'knowledgeModelSimplifiedDTO' });
export const KnowledgeModelResultPage = schemaPage('knowledgeModelResultPage', KnowledgeModelSimplifiedDTO);

export const KnowledgeModelDetailedDTO = z
  .object({ id: text, name: text, extendedKMId: text.optional().describe('The base model.') })
  .meta({ id: 'knowledgeModelDetailedDTO' });

const FilterDTO = z.object({ id: text, name: text, description: text }).meta({ id: 'filterDTO' });
export const FilterResultPage = schemaPage('filterResultPage', FilterDTO);

const recordIdMembers = { id: text, name: text, description: text, shortDisplayName: text, internalNote: text };
const RecordIdDTO = z.object(recordIdMembers).meta({ id: 'recordIdDTO' });
export const RecordSchemaResultPage = schemaPage('recordSchemaResultPage', RecordIdDTO);

const fieldMembers = {
  id: text,
  name: text,
  type: valueType,
  format: text.optional(),
  unit: text.optional(),
  filterable: z.boolean(),
  sortable: z.boolean(),
};
const RecordFieldDTO = z
  .object({ ...fieldMembers, description: text, shortDisplayName: text, internalNote: text })
  .meta({ id: 'recordFieldDTO' });
const RelationshipDTO = z
  .object({
    record: text.describe('The record to which it leads.'),
    cardinality: z.enum(cardinalities).describe('Rows of this record to rows of the other.'),
    fields: z
      .array(z.object({ from: text, to: text }))
      .describe('Fields of this record and of the other that are equal; without those that the caller does not see.'),
  })
  .meta({ id: 'relationshipDTO' });
export const RecordDTO = z
  .object({
    ...recordIdMembers,
    curated: z.boolean(),
    identifier: z.array(text).describe('The attributes that together are unique.'),
    fields: z
      .array(RecordFieldDTO)
      .describe('Attributes, augmented attributes and flags, in the order of a query that names no fields.'),
    attributes: z.array(RecordFieldDTO),
    augmentedAttributes: z.array(RecordFieldDTO),
    flags: z.array(RecordFieldDTO),
    relationships: z.array(RelationshipDTO).describe('To other records, as the model states them.'),
  })
  .meta({ id: 'recordDTO' });

const KpiDTO = z
  .object({
    id: text,
    name: text,
    description: text,
    format: text.optional(),
    unit: text.optional(),
    direction: z.enum(kpiDirections),
    target: text.optional(),
    parameters: z.array(z.object({ id: text, name: text, value: text }).meta({ id: 'kpiParameterItemDTO' })),
    records: z.array(text).describe('Ids of the records that it is computed from, in the order of its formula.'),
  })
  .meta({ id: 'kpiDTO' });
export const KpiSchemaResultPage = schemaPage('kpiSchemaResultPage', KpiDTO);

/** What dates are grouped by: `FIELD:month` in `fields` is the first day of the month. */
export const dateGrains = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type DateGrain = (typeof dateGrains)[number];

const RecordItemHeaderDTO = z
  .object({
    ...fieldMembers,
    grain: z.enum(dateGrains).optional().describe('Of dates that were asked for by their period.'),
    aggregation: z.boolean().describe('Whether it is a KPI.'),
  })
  .meta({ id: 'recordItemHeaderDTO' });
const Row = z.record(text, z.union([text, z.number(), z.boolean(), z.null()]));
const RecordItemDTO = z
  .object({ headers: z.array(RecordItemHeaderDTO), data: z.array(Row) })
  .meta({ id: 'recordItemDTO' });
export const RecordResultPageDTO = z
  .object({ ...resultPageMembers, content: RecordItemDTO })
  .meta({ id: 'recordResultPageDTO' });
export const QueryResultPageDTO = z
  .object({ ...resultPageMembers, content: z.array(Row) })
  .meta({ id: 'queryResultPageDTO' });

const number = z.number();
const FieldSummary = z
  .object({
    count: count.optional(),
    unique: count.optional(),
    top: text.nullable().optional(),
    freq: text.optional(),
    mean: number.nullable().optional(),
    std: number.nullable().optional(),
    min: number.nullable().optional(),
    max: number.nullable().optional(),
    '25_percentile': number.nullable().optional(),
    '50_percentile': number.nullable().optional(),
    '75_percentile': number.nullable().optional(),
  })
  .meta({ id: 'fieldSummary' });
export const RecordSummaryResultPageDTO = z
  .object({ content: RecordItemDTO, shape: z.array(count).length(2), summary: z.record(text, FieldSummary) })
  .meta({ id: 'recordSummaryResultPageDTO' });

/** What the names and filters of a question may have wrong, beside what every operation has. */
export const queryFailureCodes = [
  'KM_MODEL_NOTFOUND',
  'KM_FIELD_NOTFOUND',
  'KM_FILTER_NOTFOUND',
  'KM_FILTER_SYNTAX',
  'KM_FILTER_TYPE',
  'KM_JOIN_NOTFOUND',
  'GENERAL_PARAMETER_MISSMATCH',
] as const;
export const sortFailureCodes = ['SORT_UNKNOWN_FIELD', 'SORT_HAS_OPPOSITE', 'SORT_IS_EMPTY'] as const;
export const recordQueryFailureCodes = ['KM_RECORD_NOTFOUND', ...queryFailureCodes, ...sortFailureCodes] as const;
export const modelQueryFailureCodes = ['KM_KPI_NOTFOUND', ...queryFailureCodes, ...sortFailureCodes] as const;
export const modelListFailureCodes = ['KM_MODEL_NOTFOUND', ...sortFailureCodes] as const;
