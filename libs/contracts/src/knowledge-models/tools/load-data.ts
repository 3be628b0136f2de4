/** The tool load-data: rows of fields and KPIs. */
import { z } from 'zod';
import { innerOperation, rendered } from '../../operation.js';
import { LoadDataArguments, LoadDataResult, toolModel, toolQuestionFailures } from './tool-parts.js';

export const loadData = innerOperation({
  owner: 'knowledge-models',
  name: 'knowledge.tools.loadData',
  summary: 'Load data of a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({ ...toolModel, arguments: LoadDataArguments }),
  reply: rendered(LoadDataResult),
  failures: toolQuestionFailures,
});
