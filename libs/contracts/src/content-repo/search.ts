/** Search over the facets of a storage, by names and texts, however misspelt. */
import { z } from 'zod';
import { storableText } from '../definition-parts.js';
import { operation, renderedReply } from '../operation.js';
import {
  DisplayNames,
  facetId,
  listSchemaOf,
  nextPageMembers,
  contentPrefix,
  storagePathParameters,
  apiVersionParameter,
} from './parts.js';

const ownName = DisplayNames.describe('Its own name per culture identifier.');

const FoundElement = z
  .object({
    facetName: z.string(),
    id: z.guid(),
    versionId: z.guid().optional().describe('Only of versioned types.'),
    type: z.string(),
    displayNames: DisplayNames.describe('Name of the type per culture.'),
    state: z.string(),
    stereotype: z.string().optional(),
    name: ownName,
    rootPath: z
      .array(z.object({ id: z.guid(), type: z.string(), name: ownName }))
      .describe('Parents up to the root, the nearest first.'),
    expandUri: z.url().describe('Address of the full element.'),
  })
  .meta({ id: 'FoundElement' });

export const searchElements = operation({
  owner: 'content-repo',
  name: 'content.elements.search',
  summary: 'Search the elements of a storage',
  description:
    'A page of elements whose names or texts have what is looked for, or something like it, the best first. There is no total: what is less alike comes only where there is room for it.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...storagePathParameters,
    $search: storableText(500).min(1).describe('What to look for, e.g. `approve an invoice`.'),
    $facet: facetId.optional().describe('The facet to look in; all when absent.'),
    $culture: z
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .describe('The language of names and texts, e.g. 1033; any when absent.'),
    $page: z.int().min(1).max(10).default(1).describe('Page number, from 1.'),
    $pageSize: z.int().min(1).max(100).default(20).describe('Entries in a page.'),
    apiVersion: apiVersionParameter(['4.0'], '4.0'),
  }),
  reply: renderedReply(listSchemaOf(FoundElement).extend(nextPageMembers)),
  failures: ['CONTENT_NOTFOUND'],
  http: { group: 'A', method: 'get', path: `${contentPrefix}/search`, headers: { apiVersion: 'api-version' } },
});
