/** One attribute of an element. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { ElementAttribute, listNamed, memberName, partBinding, partRequest } from './parts.js';

const attributeName = memberName('Name of an attribute of the type; upper and lower case are the same.');

export const readAttribute = operation({
  owner: 'content-repo',
  name: 'content.attributes.read',
  summary: 'Read one attribute of an element',
  description: 'A list with this attribute; an empty one when it has no value.',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...partRequest, attributeName }),
  reply: rendered(listNamed(ElementAttribute)),
  failures: ['CONTENT_NOTFOUND'],
  http: partBinding('attributes/{attributeName}'),
});
