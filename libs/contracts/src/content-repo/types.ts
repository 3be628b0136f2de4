/** The types of a facet: what an element of it may say, where it may stand, and what may happen to it. */
import { z } from 'zod';
import { conditionalHeaders, conditionalParameters, operation, renderedReply } from '../operation.js';
import { attributeTypes } from './definitions.js';
import {
  DisplayNames,
  facetId,
  listSchemaOf,
  contentPrefix,
  storagePathParameters,
  apiVersionParameter,
} from './parts.js';

const AttributeDescription = z
  .object({
    name: z.string(),
    displayNames: DisplayNames,
    type: z.enum(attributeTypes),
    localised: z.boolean().describe('Whether it has a value per culture.'),
    mandatory: z.boolean().describe('Whether a version cannot be released without it.'),
    mandatoryCultures: z.array(z.int()).describe('Cultures in which a mandatory value must be there.'),
    isSystem: z.boolean().describe('Whether the server keeps it.'),
  })
  .meta({ id: 'AttributeDescription' });

const RelationDescription = z
  .object({
    name: z.string(),
    displayNames: DisplayNames,
    to: z.array(z.string()).optional().describe('Types that it may lead to; every type when absent.'),
    many: z.boolean().describe('Whether it holds more than one element.'),
    isSystem: z.boolean().describe('Whether the server keeps it.'),
  })
  .meta({ id: 'RelationDescription' });

const TypeDescription = z
  .object({
    name: z.string(),
    displayNames: DisplayNames,
    versioned: z.boolean().describe('Whether its elements have versions with release states.'),
    attributes: z.array(AttributeDescription).describe('Those that the server keeps come last.'),
    relations: z.array(RelationDescription),
    states: z.array(z.string()),
    transitions: z.array(z.object({ id: z.string(), from: z.string(), to: z.string() })),
    childTypes: z.array(z.string()).describe('Types that may stand under it.'),
    contentTypes: z.array(z.string()).describe('Types that its content may have.'),
  })
  .meta({ id: 'TypeDescription' });

export const listTypes = operation({
  owner: 'content-repo',
  name: 'content.types.list',
  summary: 'List the types of a facet',
  description:
    'With their attributes, relations, states and transitions, as the definition of the storage has them now.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...storagePathParameters,
    facetId,
    apiVersion: apiVersionParameter(['4.0'], '4.0'),
    ...conditionalParameters,
  }),
  reply: renderedReply(listSchemaOf(TypeDescription)),
  failures: ['CONTENT_NOTFOUND'],
  http: {
    group: 'A',
    method: 'get',
    path: `${contentPrefix}/facets/{facetId}/types`,
    headers: { apiVersion: 'api-version', ...conditionalHeaders },
  },
});
