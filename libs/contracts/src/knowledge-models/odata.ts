import { z } from 'zod';
import { conditionalHeaders, conditionalParameters, operation, renderedReply } from '../operation.js';
import {
  maxFilterLength,
  modelPathParameters,
  queryFailureCodes,
  recordPathParameters,
  sortFailureCodes,
} from './parts.js';

export const odataPrefix = '/intelligence/api/odata/{km_id}.svc';
const entitySetPrefix = `${odataPrefix}/{record_id}_entries`;

/** The keyword of a schema for the most characters of a parameter in the URL of a request; a part of a batch may have more. */
export const urlLengthKeyword = 'x-max-length-in-url';
const filterUrlMax = 4_000;

/** The bounds of the texts; a `$filter` has that of every filter. */
const longText = z.string().max(40_000);
const headerText = z.string().max(2_000);

const $format = z
  .string()
  .max(500)
  .optional()
  .describe('`json`, `xml`, `atom` or a media type; before the header `Accept`.');

/** How an answer is written. Header names are in `representationHeaders`. */
const representationOptions = {
  $format,
  accept: headerText.optional(),
  odataVersion: headerText.optional(),
  odataMaxVersion: headerText.optional().describe('`4.0` or `4.01`; the answer is of no later version.'),
};
const representationHeaders = {
  accept: 'accept',
  odataVersion: 'odata-version',
  odataMaxVersion: 'odata-maxversion',
} as const;

const servicePath = { ...modelPathParameters, ...representationOptions };
const entitySetPath = { ...recordPathParameters, ...representationOptions };

const count = z.int().min(0).max(2_000_000_000);

const $apply = z
  .string()
  .max(4_000)
  .optional()
  .describe(
    'Groups instead of entries, e.g. `filter(DUE gt 2024-01-01)/groupby((CITY),aggregate(AMOUNT with sum as TOTAL))`; KPIs are ' +
      'custom aggregates: `aggregate(ORDER_VALUE)`.',
  );

const aliases = z
  .record(z.string().max(200), z.string().max(4_000))
  .optional()
  .describe(
    "Parameter aliases: literals by the names by which conditions call them, e.g. `$filter=CITY eq @c&@c='Rome'`.",
  );

const conditionOptions = {
  aliases,
  $filter: z
    .string()
    .max(maxFilterLength)
    .optional()
    .describe(
      `A condition, e.g. \`COUNTRY eq 'DE' and year(DUE) gt 2024\`. At most ${filterUrlMax} characters in a URL, ${maxFilterLength} in a part of a batch.`,
    )
    .meta({ [urlLengthKeyword]: filterUrlMax }),
  $search: z
    .string()
    .max(4_000)
    .optional()
    .describe('Words and phrases that the texts of an entry contain, e.g. `blue OR "dark green" NOT red`.'),
  filterid: z
    .array(z.string().max(200))
    .max(200)
    .optional()
    .describe('Ids of filters of the model; a row has to match all of them.'),
};

const filterOptions = { $apply, ...conditionOptions };

export const $select = longText.optional().describe('Properties, separated by commas; `*`: all of them.');

export const $expand = longText
  .optional()
  .describe(
    'Navigation properties, separated by commas, each perhaps with options: `SUPPLIER($select=NAME)`, ' +
      '`ITEMS($filter=...;$orderby=...;$top=10;$count=true;$expand=...)`; `*`: all of these.',
  );

const pageOptions = {
  $select,
  $expand,
  $orderby: longText
    .optional()
    .describe('Properties or what is computed of them, separated by commas, each with ` asc` or ` desc` behind it.'),
  $top: count.optional().describe('So many entries at most.'),
  $skip: count.optional().describe('So many entries are left out before the first.'),
  $count: z.boolean().default(false).describe('Whether the answer says how many entries match in all.'),
  $skiptoken: longText.optional().describe('Where the page before ended; a part of `@odata.nextLink`.'),
  prefer: headerText
    .optional()
    .describe(
      '`odata.maxpagesize=100`: so many entries on a page at most; `evidence`: a record of the answer is kept.',
    ),
};

const entriesOptions = { ...filterOptions, ...pageOptions };

const jsonType = 'application/json';
const serviceMediaTypes = [jsonType, 'application/atomsvc+xml'] as const;
const metadataMediaTypes = ['application/xml', jsonType] as const;
const dataMediaTypes = [jsonType, 'application/atom+xml'] as const;

const odataFailures = ['KM_MODEL_NOTFOUND', 'ODATA_FORMAT_UNSUPPORTED', 'ODATA_OPTION_UNSUPPORTED'] as const;

export const readODataService = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.service',
  summary: 'Read the OData service document',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...servicePath, ...conditionalParameters }),
  reply: renderedReply(
    z
      .looseObject({
        value: z.array(z.looseObject({ name: z.string(), kind: z.literal('EntitySet'), url: z.string() })),
      })
      .meta({ id: 'odataServiceDocument' }),
    serviceMediaTypes,
  ),
  failures: odataFailures,
  http: {
    group: 'D',
    method: 'get',
    path: odataPrefix,
    headers: { ...representationHeaders, ...conditionalHeaders },
    isOData: true,
  },
});

export const readODataMetadata = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.metadata',
  summary: 'Read the OData metadata',
  description: 'CSDL as XML, or as JSON when `$format` or `Accept` says so.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...servicePath, ...conditionalParameters }),
  reply: renderedReply(z.looseObject({ $Version: z.string() }).meta({ id: 'odataMetadata' }), metadataMediaTypes),
  failures: odataFailures,
  http: {
    group: 'D',
    method: 'get',
    path: `${odataPrefix}/$metadata`,
    headers: { ...representationHeaders, ...conditionalHeaders },
    isOData: true,
  },
});

export const readODataEntries = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.entries',
  summary: 'Read the entries of an OData entity set',
  description: 'A page that ends early has `@odata.nextLink`.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...entitySetPath, ...entriesOptions }),
  reply: renderedReply(
    z.looseObject({ value: z.array(z.record(z.string(), z.unknown())) }).meta({ id: 'odataEntries' }),
    dataMediaTypes,
  ),
  failures: [...odataFailures, 'KM_RECORD_NOTFOUND', 'KM_KPI_NOTFOUND', ...queryFailureCodes, ...sortFailureCodes],
  http: {
    group: 'D',
    method: 'get',
    path: entitySetPrefix,
    headers: { ...representationHeaders, prefer: 'prefer' },
    isOData: true,
  },
});

export const countODataEntries = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.count',
  summary: 'Count the entries of an OData entity set',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...entitySetPath, ...filterOptions }),
  reply: renderedReply(z.int().min(0).meta({ id: 'odataCount' }), ['text/plain; charset=utf-8']),
  failures: [...odataFailures, 'KM_RECORD_NOTFOUND', 'KM_KPI_NOTFOUND', ...queryFailureCodes],
  http: {
    group: 'D',
    method: 'get',
    path: `${entitySetPrefix}/$count`,
    headers: representationHeaders,
    isOData: true,
  },
});

const keyPath = {
  ...entitySetPath,
  key: z.string().min(2).max(4_000).describe("The key in parentheses: `('4711')`, `(ORDER_NO='4711',ITEM_NO=10)`."),
};

export const readODataEntry = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.entry',
  summary: 'Read an entry of an OData entity set by its key',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...keyPath,
    $select,
    $expand,
  }),
  reply: renderedReply(z.record(z.string(), z.unknown()).meta({ id: 'odataEntry' }), dataMediaTypes),
  failures: [...odataFailures, 'KM_RECORD_NOTFOUND', 'KM_FIELD_NOTFOUND', 'KM_FILTER_TYPE', 'GENERAL_NOTFOUND'],
  http: {
    group: 'D',
    method: 'get',
    path: `${entitySetPrefix}{key}`,
    headers: representationHeaders,
    isOData: true,
  },
});

const stepPath = {
  ...keyPath,
  step: z
    .string()
    .min(1)
    .max(4_000)
    .describe('A property, a navigation property, perhaps with a key of what it leads to, or `$ref`.'),
};

const linkReply = renderedReply(z.looseObject({}).meta({ id: 'odataLink' }), dataMediaTypes);

const linkFailures = [...readODataEntries.failures, 'GENERAL_NOTFOUND', 'GENERAL_NOTFOUND_PATH'] as const;

const linkPrefix = `${entitySetPrefix}{key}/{step}`;

export const readODataLink = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.link',
  summary: 'Follow a link of an OData entry, or read one of its properties',
  description:
    'Several entries are a page of them, with the options of an entity set; one entry takes `$select` and `$expand`. 204 where there ' +
    'is no related entry, or the value is null.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...stepPath, ...conditionOptions, ...pageOptions }),
  reply: linkReply,
  failures: linkFailures,
  http: {
    group: 'D',
    method: 'get',
    path: linkPrefix,
    headers: { ...representationHeaders, prefer: 'prefer' },
    isOData: true,
  },
});

export const readODataLinkPart = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.part',
  summary: 'Read what a link of an OData entry leads to: its references, a property, a further link',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...stepPath,
    part: z.string().min(1).max(4_000).describe('`$ref`, or a property or a navigation property of the related entry.'),
    ...conditionOptions,
    ...pageOptions,
  }),
  reply: linkReply,
  failures: linkFailures,
  http: {
    group: 'D',
    method: 'get',
    path: `${linkPrefix}/{part}`,
    headers: { ...representationHeaders, prefer: 'prefer' },
    isOData: true,
  },
});

export const countODataLink = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.linkCount',
  summary: 'Count the entries that a link of an OData entry leads to',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...stepPath, ...conditionOptions }),
  reply: countODataEntries.reply,
  failures: linkFailures,
  http: {
    group: 'D',
    method: 'get',
    path: `${linkPrefix}/$count`,
    headers: representationHeaders,
    isOData: true,
  },
});

export const readODataValue = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.value',
  summary: 'Read the value of a property of an OData entry as plain text',
  description: '204 where it is null.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject(stepPath),
  reply: renderedReply(z.string().meta({ id: 'odataValue' }), ['text/plain; charset=utf-8']),
  failures: linkFailures,
  http: {
    group: 'D',
    method: 'get',
    path: `${linkPrefix}/$value`,
    headers: representationHeaders,
    isOData: true,
  },
});
