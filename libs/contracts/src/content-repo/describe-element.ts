/** What is known about one element, without its attributes. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { DisplayNames, listNamed, partBinding, partRequest, reference } from './parts.js';

const ElementDescription = z
  .object({
    facetName: z.string(),
    id: z.guid(),
    versionId: z.guid().optional().describe('Only of versioned types.'),
    creationId: z.string(),
    type: z.string(),
    state: z.string(),
    stereotype: z.string().optional(),
    version: z.string().optional().describe('Major and minor, e.g. 1.0; only of versioned types.'),
    isReleased: z.boolean().optional().describe('Only of versioned types.'),
    name: DisplayNames.optional().describe('Its own name per culture identifier.'),
    parent: reference.optional().describe('The element above it; of a content element, the version that contains it.'),
    createdOn: z.string().optional(),
    changedOn: z.string().optional(),
    revision: z.string().describe('The change that wrote the version; an ETag of the element begins with it.'),
    transitions: z.url().optional().describe('Address of what can happen next; a content element has none.'),
    reporting: z.url().describe('Address of its report.'),
    expandUri: z.url(),
  })
  .meta({ id: 'ElementDescription' });

export const describeElement = operation({
  owner: 'content-repo',
  name: 'content.elements.describe',
  summary: 'Tell what is known about an element',
  description:
    'A list with one entry: identity, state, name, parent, version, and where it can be changed and reported.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(partRequest),
  reply: rendered(listNamed(ElementDescription)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('info'),
});
