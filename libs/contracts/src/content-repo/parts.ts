/** What the operations of the content repository share: path members, query options, elements. */
import { z } from 'zod';
import { conditionalHeaders, conditionalParameters } from '../operation.js';
import { attributeTypes } from './definitions.js';

const pathSegment = (what: string, max: number) => z.string().min(1).max(max).describe(what);

export const storagePathParameters = {
  collectionId: pathSegment('The collection of the storage.', 64),
  storageId: pathSegment('The storage in its collection.', 64),
};
export const facetId = pathSegment('Name of a facet; upper and lower case are the same.', 128);
export const viewId = pathSegment('Name of a view of the facet; upper and lower case are the same.', 128);
export const elementId = pathSegment(
  'Identifier of an element (its released version, else its newest) or of one version (exactly that version).',
  128,
);

/** A name in a path. */
export const memberPathSegment = (what: string) => pathSegment(what, 128);

export const contentPrefix = '/{collectionId}/{storageId}/_api/rest';

export const resourceNames = [
  'attributes',
  'related',
  'children',
  'content',
  'displayNames',
  'rootPath',
  'stereotype',
] as const;
export type ResourceName = (typeof resourceNames)[number];

/** A plus sign that was not escaped arrives as a space. */
export const asOfParameter = z
  .string()
  .overwrite((text) => text.replace(/ (?=\d\d:\d\d$)/, '+'))
  .check(
    z.iso.datetime({
      local: true,
      offset: true,
      error: 'expected a date-time such as 2026-05-07T08:30:00Z or 2026-05-07T08:30:00.250+02:00',
    }),
  )
  .optional()
  .describe('The state of the repository at this instant, ISO 8601, UTC when it names no zone; now when absent.');

const nameList = (what: string) => z.array(z.string().min(1).max(128)).max(200).describe(what);

export const elementQueryOptions = {
  $filter: z
    .string()
    .max(4000)
    .optional()
    .describe("Which elements to keep, e.g. `type -eq 'process' AND Contains(name, 'order')`."),
  $expandRelated: nameList('Relations whose references are replaced by the elements, one level.').optional(),
  $resources: z
    .array(z.enum(resourceNames))
    .max(resourceNames.length)
    .optional()
    .describe(
      'Parts to include, all but `rootPath` when absent. `stereotype` is always there; `rootPath` alone brings `displayNames`.',
    ),
  $select: nameList('Attributes and relations to include; unknown names select nothing.').optional(),
};

/** The options of one element: a filter chooses among many. */
const { $filter: _filter, ...elementOptions } = elementQueryOptions;
export { elementOptions };

export const pagingParameters = {
  $page: z.int().min(1).max(1_000_000).default(1).describe('Page number, from 1.'),
  $pageSize: z.int().min(1).max(1000).default(100).describe('Entries in a page.'),
};
export const pageSelectionKeyParameter = z
  .string()
  .max(200)
  .optional()
  .describe('Continues after the page that answered this key in the header X-Page-Selection-Key; replaces $page.');

export const acceptLanguageParameter = z
  .string()
  .max(1000)
  .optional()
  .describe('Preferred cultures, for display names in version 1.0.');

export const apiVersionParameter = <const Versions extends readonly [string, ...string[]]>(
  versions: Versions,
  standard: Versions[number],
) =>
  z
    .enum(versions)
    .default(standard as never)
    .describe(`Version of the interface; ${standard} when absent.`);

/** What every read of a part of one element takes, beside options of its own. */
export const partRequestParameters = {
  ...storagePathParameters,
  facetId,
  viewId,
  elementId,
  asOf: asOfParameter,
  apiVersion: apiVersionParameter(['1.0', '4.0'], '1.0'),
  ...conditionalParameters,
};
/** How the part at `path` is reached. */
export const partHttpBinding = (path: string) => ({
  group: 'A' as const,
  method: 'get' as const,
  path: `${contentPrefix}/facets/{facetId}/views/{viewId}/elements/{elementId}/${path}`,
  headers: { apiVersion: 'api-version', ...conditionalHeaders },
});

const displayNames = z
  .record(z.string(), z.string())
  .describe('Name per culture identifier.')
  .meta({ id: 'DisplayNames', example: { '1033': 'Process', '1031': 'Prozess' } });

export const DisplayNames = displayNames;

export const Facet = z
  .object({
    name: z.string().describe('Facet name, used as facetId.'),
    displayName: z.string().optional().describe('Display name in the culture asked for (version 1.0).'),
    displayNames: displayNames.optional().describe('Display names per culture (version 4.0).'),
    views: z.url().describe('Address of the view list of the facet.'),
  })
  .meta({ id: 'Facet' });

export const FacetView = z
  .object({
    name: z.string().describe('View name, used as viewId.'),
    displayName: z.string().optional().describe('Display name in the culture asked for (version 1.0).'),
    displayNames: displayNames.optional().describe('Display names per culture (version 4.0).'),
    elements: z.url().describe('Address of the elements of the view.'),
    isHierarchical: z.boolean().describe('Whether the elements form a tree.'),
  })
  .meta({ id: 'FacetView' });

export const referenceShape = z
  .object({
    facetName: z.string(),
    id: z.guid(),
    versionId: z.guid().optional(),
    creationId: z.string(),
    type: z.string(),
    state: z.string().optional(),
    stereotype: z.string().optional(),
    expandUri: z.url().describe('Address of the full element.'),
  })
  .meta({ id: 'ElementReference' });

export const valuesByCulture = z
  .record(z.string(), z.json())
  .describe('Value per culture identifier; 127 is the language-neutral key.')
  .meta({ example: { '1033': 'Order goods' } });

export const ElementAttribute = z
  .object({
    name: z.string(),
    type: z.enum(attributeTypes).optional().describe('Left out when the type does not have the attribute any more.'),
    values: valuesByCulture,
  })
  .meta({ id: 'ElementAttribute' });

const elementShape: z.ZodType = z
  .lazy(() =>
    z.object({
      facetName: z.string(),
      id: z.guid().describe('Identifier of the element; the same for all its versions.'),
      versionId: z.guid().optional().describe('Identifier of this version; only of versioned types.'),
      creationId: z.string().describe('Identifier of the element it was copied from, or its own.'),
      type: z.string(),
      state: z.string(),
      stereotype: z.string().optional(),
      displayNames: displayNames.optional().describe('Name of the type per culture.'),
      attributes: z
        .record(z.string(), z.record(z.string(), z.json()))
        .optional()
        .describe('Attribute -> culture identifier -> value; 127 is the language-neutral key.'),
      related: z.record(z.string(), z.array(z.union([referenceShape, elementShape]))).optional(),
      children: z.array(elementShape).optional(),
      content: z.array(elementShape).optional(),
      rootPath: z.array(elementShape).optional().describe('Parents up to the root, the nearest first.'),
      versions: z.array(elementShape).optional(),
      expandUri: z.url(),
    }),
  )
  .meta({ id: 'Element' });
export const Element = elementShape;

export const listSchemaOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    count: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('How many entries the list has.'),
    values: z.array(item),
  });

const memberCount = z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('How many entries or members there are.');

/** What version 1.0 answers as members by name, and 4.0 as a list. */
export const valuesOrElementsSchema = <Value extends z.ZodType, Item extends z.ZodType>(value: Value, item: Item) =>
  z.object({
    count: memberCount,
    values: z.record(z.string(), value).optional().describe('Version 1.0: by name.'),
    elements: z.array(item).optional().describe('Version 4.0.'),
  });

/** A list that version 1.0 names `values` and 4.0 `elements`. */
export const versionedListSchema = <Item extends z.ZodType>(item: Item) =>
  z.object({
    count: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('How many entries the list has.'),
    elements: z.array(item).optional().describe('Version 4.0.'),
    values: z.array(item).optional().describe('Version 1.0.'),
  });

/** Of a list that has pages. */
export const nextPageMembers = {
  nextUri: z
    .string()
    .optional()
    .describe('Versions 2.0 and 4.0: the address of the next page, as in the header Link; absent on the last one.'),
};
