/**
 * What the OData operations share: paths, the parameters that choose a representation, the media types of answers.
 * Refuses: the grammar of the options, which their owner parses; here they are texts and numbers with bounds.
 */
import { z } from 'zod';
import { modelPath, recordPath } from './parts.js';

export const odataPrefix = '/intelligence/api/odata/{km_id}.svc';
export const entitySetPrefix = `${odataPrefix}/{record_id}_entries`;

/** The bounds of the texts; a `$filter` has that of every filter. */
const longText = z.string().max(40_000);
const headerText = z.string().max(2_000);

const $format = z
  .string()
  .max(500)
  .optional()
  .describe('`json`, `xml`, `atom` or a media type; before the header `Accept`.');

/** How an answer is written. Header names are in `representationHeaders`. */
const representation = {
  $format,
  accept: headerText.optional(),
  odataVersion: headerText.optional(),
  odataMaxVersion: headerText.optional().describe('`4.0` or `4.01`; the answer is of no later version.'),
};
export const representationHeaders = {
  accept: 'accept',
  odataVersion: 'odata-version',
  odataMaxVersion: 'odata-maxversion',
} as const;

export const servicePath = { ...modelPath, ...representation };
export const entitySetPath = { ...recordPath, ...representation };

const count = z.int().min(0).max(2_000_000_000);

export const filterOptions = {
  $filter: z.string().max(4_000).optional().describe("A condition, e.g. `COUNTRY eq 'DE' and year(DUE) gt 2024`."),
  filterid: z
    .array(z.string().max(200))
    .max(200)
    .optional()
    .describe('Ids of filters of the model; a row has to match all of them.'),
};

export const $select = longText.optional().describe('Properties, separated by commas; `*`: all of them.');

export const $expand = longText
  .optional()
  .describe(
    'Navigation properties to one entry, separated by commas, each perhaps with `($select=...)`; `*`: all of these.',
  );

export const entriesOptions = {
  ...filterOptions,
  $select,
  $expand,
  $orderby: longText.optional().describe('Properties, separated by commas, each with ` asc` or ` desc` behind it.'),
  $top: count.optional().describe('So many entries at most.'),
  $skip: count.optional().describe('So many entries are left out before the first.'),
  $count: z.boolean().default(false).describe('Whether the answer says how many entries match in all.'),
  $skiptoken: longText.optional().describe('Where the page before ended; a part of `@odata.nextLink`.'),
  prefer: headerText.optional().describe('`odata.maxpagesize=100`: so many entries on a page at most.'),
};

const json = 'application/json';
export const serviceMediaTypes = [json, 'application/atomsvc+xml'] as const;
export const metadataMediaTypes = ['application/xml', json] as const;
export const dataMediaTypes = [json, 'application/atom+xml'] as const;

export const odataFailures = ['KM_MODEL_NOTFOUND', 'ODATA_FORMAT_UNSUPPORTED', 'ODATA_OPTION_UNSUPPORTED'] as const;
