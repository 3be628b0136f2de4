/** The tool find-content: elements by their names and texts, however misspelt. */
import { z } from 'zod';
import { internalOperation, renderedReply } from '../operation.js';
import { storableText } from '../definition-parts.js';
import { storagePathParameters } from './parts.js';

export const FindContentArguments = z.strictObject({
  query: storableText(500).min(1).describe('What to look for, e.g. "approve an invoice".'),
  facet: z.string().min(1).max(128).optional().describe('The facet to look in; all when absent.'),
  culture: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('The language of names and texts, e.g. 1033; any when absent.'),
  limit: z.int().min(1).max(100).default(20).describe('At most so many elements.'),
});

export const FindContentResult = z.object({
  count: z.int().min(0).max(100),
  elements: z
    .array(
      z.object({
        id: z.string(),
        versionId: z.string().optional(),
        name: z.string().describe('In the culture that was asked for where it has one.'),
        type: z.string(),
        state: z.string(),
        facetName: z.string(),
        expandUri: z.string().describe('Where the whole element is read.'),
        responsible: z
          .array(
            z.object({
              relation: z.string().describe('How it is related to the element, e.g. `owner` or `executes`.'),
              name: z.string(),
              type: z.string(),
            }),
          )
          .optional()
          .describe('Roles and people that the element is related to, in either direction; absent without any.'),
      }),
    )
    .describe('Best first.'),
});

export const findContent = internalOperation({
  owner: 'content-repo',
  name: 'content.elements.find',
  summary: 'Find elements by their texts',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({ ...storagePathParameters, arguments: FindContentArguments }),
  reply: renderedReply(FindContentResult),
  failures: ['CONTENT_NOTFOUND', 'TOOL_ARGUMENTS_INVALID'],
});
