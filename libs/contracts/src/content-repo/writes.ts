/**
 * Creates and updates elements, all or nothing. A body that reading answered can be changed and sent back: what only the
 * server writes is ignored, and told where it is not as it was.
 */
import { z } from 'zod';
import {
  idempotencyHeaders,
  idempotencyParameter,
  ifMatchHeaders,
  ifMatchParameter,
  operation,
  renderedReply,
} from '../operation.js';
import {
  AttributeValues,
  definedItemName,
  elementKey,
  hasOneRelationsName,
  isWithinAttributeLimit,
  type RelationNames,
  tooManyAttributesMessage,
  twoRelationsNames,
} from './definitions.js';
import {
  Element,
  elementId,
  facetId,
  versionedListSchema,
  contentPrefix,
  referenceShape,
  storagePathParameters,
  apiVersionParameter,
  viewId,
} from './parts.js';

const writtenElementsMax = 200;

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const newKey = elementKey.refine((key) => !uuidPattern.test(key), 'expected a readable key, not a UUID');
const elementName = elementKey.describe('The UUID of an element, or its key; also of one in the same body.');
const ignoredMember = (what: string) => z.unknown().optional().describe(`${what} Ignored.`);

/** A reference, or an element in its place, as it is read. */
const writtenReference = z.strictObject({
  id: elementName,
  facetName: ignoredMember('Its facet.'),
  versionId: ignoredMember('Its version.'),
  creationId: ignoredMember('What it was copied from.'),
  type: ignoredMember('Its type.'),
  state: ignoredMember('Its state.'),
  stereotype: ignoredMember('Its stereotype.'),
  displayNames: ignoredMember('Names of its type.'),
  attributes: ignoredMember('Its attributes.'),
  related: ignoredMember('Its relations.'),
  children: ignoredMember('Its children.'),
  content: ignoredMember('Its content.'),
  rootPath: ignoredMember('Its parents.'),
  versions: ignoredMember('Its versions.'),
  expandUri: ignoredMember('Its address.'),
});

const writtenRelations = z.record(
  z.string().min(1).max(64),
  z.array(z.union([elementName, writtenReference], 'expected an id, a key, or an object with an id')).max(10_000),
);
type WrittenRelations = z.output<typeof writtenRelations>;

const toRelated = <Written extends RelationNames<WrittenRelations>>(written: Written): Written =>
  written.relations === undefined ? written : { ...written, related: written.relations, relations: undefined };

/** What an element and a content element have in common. */
const writtenMembers = {
  type: definedItemName.optional().describe('Needed by what is new; an update cannot change it.'),
  stereotype: definedItemName.nullable().optional().describe('null removes it.'),
  creationId: elementKey.optional().describe('What it was copied from; only of what is new.'),
  facetName: z.string().max(128).optional().describe('The facet of the type; nothing else is accepted.'),
  attributes: z
    .record(z.string().min(1).max(64), AttributeValues.valueType.nullable())
    .refine(isWithinAttributeLimit, tooManyAttributesMessage)
    .optional()
    .describe('Attribute -> value, values per culture, or null, which removes it. One that is not named stays.'),
  related: writtenRelations
    .optional()
    .describe('Relation -> all elements it leads to, in order. One that is not named stays.'),
  relations: writtenRelations.optional().describe('The same as `related`, as files of a workspace name it.'),
  displayNames: ignoredMember('Names of the type.'),
  expandUri: ignoredMember('Its address.'),
};

export const WrittenContent = z
  .strictObject({
    id: z.guid().optional().describe('One that the version has is kept and updated; any other makes a new one.'),
    key: newKey.optional().describe('Unique in the version; it names a content element as its id does.'),
    ...writtenMembers,
    type: definedItemName,
    creationId: z.guid().optional().describe('The content element it was copied from; only of what is new.'),
    state: definedItemName.optional(),
  })
  .refine(hasOneRelationsName, twoRelationsNames)
  .overwrite(toRelated)
  .meta({ id: 'WrittenContent' });

export const WrittenElement = z
  .strictObject({
    id: z
      .guid()
      .optional()
      .describe('Of an element (its released version, else its newest) or of a version; none makes a new element.'),
    versionId: z.guid().optional().describe('Exactly this version of the element.'),
    key: newKey.optional().describe('A readable name for a new element; its id follows from it.'),
    ...writtenMembers,
    parentId: elementName.nullable().optional().describe('What it stands under; null makes it a root.'),
    content: z
      .array(WrittenContent)
      .max(2_000)
      .optional()
      .describe('The whole content in order: what is not listed goes. When absent, all of it stays.'),
    state: definedItemName.optional().describe('The state that it has; transitions change it.'),
    rootPath: ignoredMember('Its parents.'),
    versions: ignoredMember('Its versions.'),
    children: z.unknown().optional().describe('Refused: children are written as elements with parentId.'),
  })
  .refine(hasOneRelationsName, twoRelationsNames)
  .overwrite(toRelated)
  .meta({ id: 'WrittenElement' });

export const writeElements = operation({
  owner: 'content-repo',
  name: 'content.elements.write',
  summary: 'Create and update elements',
  description:
    'All or nothing. An element without an id is new (with `match=key` unless its key is there): a draft where its type has versions. Else the version is updated that the id means, and it has to be in process where its type has versions; attributes and relations that are named are replaced whole, others stay.',
  scope: 'content:write',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...storagePathParameters,
    facetId,
    viewId,
    apiVersion: apiVersionParameter(['1.0', '4.0'], '4.0'),
    match: z
      .enum(['key'])
      .optional()
      .describe(
        '`key`: an element without id whose key is there already is updated, its draft first; any other is made.',
      ),
    ...idempotencyParameter,
    ifMatch: ifMatchParameter.ifMatch.describe('The ETags that the updated elements must still have, or `*`.'),
    batch: z
      .strictObject({
        count: ignoredMember('How many elements the list had.'),
        nextUri: ignoredMember('Where the list went on.'),
        elements: z.array(WrittenElement).min(1).max(writtenElementsMax),
      })
      .meta({ id: 'WriteElements' }),
  }),
  reply: renderedReply(
    versionedListSchema(Element).extend({
      message: z.string().optional().describe('What was ignored, since only the server writes it.'),
    }),
  ),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_CONFLICT', 'CONTENT_CHANGED', 'GENERAL_CONSTRAINT_VIOLATION'],
  http: {
    group: 'A',
    method: 'post',
    path: `${contentPrefix}/facets/{facetId}/views/{viewId}/elements`,
    body: 'batch',
    hasLargeBody: true,
    headers: { apiVersion: 'api-version', ...ifMatchHeaders, ...idempotencyHeaders },
  },
});

export type WrittenContent = z.output<typeof WrittenContent>;
export type WrittenElement = z.output<typeof WrittenElement>;

export const deleteElement = operation({
  owner: 'content-repo',
  name: 'content.elements.delete',
  summary: 'Delete an element or its draft',
  description:
    'What is in process or has no versions, and has no children. A draft of an element with older versions goes alone. An administrator can restore what was deleted until it is purged.',
  scope: 'content:write',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...storagePathParameters,
    facetId,
    viewId,
    elementId,
    apiVersion: apiVersionParameter(['2.0'], '2.0'),
    ...idempotencyParameter,
  }),
  reply: renderedReply(
    z
      .object({
        message: z.string(),
        output: z.literal('Volatile'),
        type: z.literal('Success'),
        count: z.int().min(0).max(1000),
        values: z.array(referenceShape).describe('What was deleted.'),
      })
      .meta({ id: 'DeleteResult' }),
  ),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_CONFLICT'],
  http: {
    group: 'A',
    method: 'post',
    path: `${contentPrefix}/facets/{facetId}/views/{viewId}/elements/{elementId}/delete`,
    headers: { apiVersion: 'api-version', ...idempotencyHeaders },
  },
});

export const createVersion = operation({
  owner: 'content-repo',
  name: 'content.versions.create',
  summary: 'Create a version of a released element',
  description:
    'The new version is in process, one minor number up, with the attributes, relations and a copy of the content of the released one. An element has one version in process at most.',
  scope: 'content:write',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...storagePathParameters,
    elementId,
    apiVersion: apiVersionParameter(['4.0'], '4.0'),
    ...idempotencyParameter,
  }),
  reply: renderedReply(
    z.object({
      count: z.literal(1),
      elements: z.array(Element).describe('The new version.'),
      values: z.array(Element).describe('The same list.'),
    }),
  ),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_CONFLICT'],
  http: {
    group: 'A',
    method: 'post',
    path: `${contentPrefix}/release/{elementId}/createversion`,
    headers: { apiVersion: 'api-version', ...idempotencyHeaders },
  },
});

export const Transition = z
  .object({
    id: z
      .string()
      .describe('E.g. InProcessToInReview. A POST to the address of this list, a slash and the id performs it.'),
    from: z.string(),
    to: z.string(),
  })
  .meta({ id: 'Transition' });

const StateTransition = z
  .object({
    transitionId: z.string().describe('As `id` of version 4.0.'),
    sourceState: z.string(),
    targetState: z.string(),
  })
  .meta({ id: 'StateTransition' });

export const listTransitions = operation({
  owner: 'content-repo',
  name: 'content.transitions.list',
  summary: 'List the transitions that the state of a version allows',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...storagePathParameters,
    elementId,
    apiVersion: apiVersionParameter(['1.0', '4.0'], '1.0'),
  }),
  reply: renderedReply(
    z.object({
      count: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
      values: z.array(StateTransition).optional().describe('Version 1.0.'),
      elements: z.array(Transition).optional().describe('Version 4.0.'),
    }),
  ),
  failures: ['CONTENT_NOTFOUND'],
  http: {
    group: 'A',
    method: 'get',
    path: `${contentPrefix}/release/{elementId}/transitions`,
    headers: { apiVersion: 'api-version' },
  },
});

export const performTransition = operation({
  owner: 'content-repo',
  name: 'content.transitions.perform',
  summary: 'Change the state of a version',
  description:
    'A release takes the next whole version number and expires the version that was released before. Missing mandatory values block it; a warning is overridden with ignoreWarnings=true.',
  scope: 'content:write',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...storagePathParameters,
    elementId,
    transitionId: z.string().min(1).max(128).describe('As the list of transitions names it, e.g. InProcessToReleased.'),
    ignoreWarnings: z.boolean().default(false).describe('Whether warnings are overridden; errors never are.'),
    apiVersion: apiVersionParameter(['1.0', '4.0'], '4.0'),
    ...idempotencyParameter,
  }),
  reply: renderedReply(versionedListSchema(Element)),
  failures: ['CONTENT_NOTFOUND', 'CONTENT_CONFLICT', 'CONTENT_WARNING'],
  http: {
    group: 'A',
    method: 'post',
    path: `${contentPrefix}/release/{elementId}/transitions/{transitionId}`,
    headers: { apiVersion: 'api-version', ...idempotencyHeaders },
  },
});
