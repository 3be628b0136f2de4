/** The tool get-insights: which values of fields drive a KPI. */
import { z } from 'zod';
import { innerOperation, rendered } from '../../operation.js';
import { GetInsightsArguments, GetInsightsResult, toolModel, toolQuestionFailures } from './tool-parts.js';

export const getInsights = innerOperation({
  owner: 'knowledge-models',
  name: 'knowledge.tools.getInsights',
  summary: 'Find what drives a KPI',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({ ...toolModel, arguments: GetInsightsArguments }),
  reply: rendered(GetInsightsResult),
  failures: toolQuestionFailures,
});
