/** The tool search-data: what a model calls a thing, by names, synonyms, descriptions and values, however misspelt. */
import { z } from 'zod';
import { innerOperation, rendered } from '../../operation.js';
import { SearchDataArguments, SearchDataResult, toolModel, toolQuestionFailures } from './tool-parts.js';

export const searchData = innerOperation({
  owner: 'knowledge-models',
  name: 'knowledge.tools.searchData',
  summary: 'Search a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({ ...toolModel, arguments: SearchDataArguments }),
  reply: rendered(SearchDataResult),
  failures: toolQuestionFailures,
});
