import { z } from 'zod';
import { internalOperation } from '../operation.js';

/** A version of an element that is measured by a key figure: its relation `measuredBy` leads to one whose attribute `figure` is the KPI. */
export const DocumentOfFigure = z
  .object({
    figure: z.string().describe('The id of the KPI.'),
    element: z.object({ id: z.string(), name: z.string(), href: z.url() }),
    versionId: z.string(),
    version: z.string().describe('The version that was released then, e.g. `2.0`.'),
  })
  .meta({ id: 'DocumentOfFigure' });

/** What was released at an instant and is measured by KPIs: what process documents say of a figure. */
export const findDocumentsOfFigures = internalOperation({
  owner: 'content-repo',
  name: 'content.elements.measuredBy',
  summary: 'Find the documents that are measured by KPIs',
  scope: 'content:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    figures: z.array(z.string().min(1).max(400)).max(400).describe('Ids of KPIs.'),
    at: z.iso.datetime().describe('The instant at which the versions were released.'),
  }),
  reply: z.object({ documents: z.array(DocumentOfFigure).describe('At most 100, by KPI and name.') }),
  failures: [],
});
