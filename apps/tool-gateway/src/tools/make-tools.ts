import { findContent, FindContentArguments, FindContentResult } from '@tessera/contracts/content-repo';
import type { ToolDefinition } from '@tessera/contracts/tool-gateway';
import { createHttpRequestTool } from '../http-request/http-request-tool.js';
import type { RequestOptions } from '../http-request/request-context.js';
import { callService, type Services } from './call-service.js';
import { toArgumentsSchema, toResultSchema } from './contract-schemas.js';
import { type ModelToolOptions, createModelToolSource } from './model-tools.js';
import { createFixedToolSource, type ToolSource } from './tool.js';

/** Once for each process. */
type ToolOptions = ModelToolOptions & { readonly requests: RequestOptions };

export const createToolSource = (definition: ToolDefinition, team: string, options: ToolOptions): ToolSource => {
  switch (definition.kind) {
    case 'find-content':
      return findContentSource(definition, options.services);
    case 'http-request':
      return createFixedToolSource(createHttpRequestTool(definition, { ...options.requests, team }), definition.kind);
    case 'search-data':
    case 'load-data':
    case 'get-insights':
    case 'get-knowledge-model':
      return createModelToolSource(definition, options);
  }
};

const findContentInput = toArgumentsSchema(FindContentArguments);
const findContentOutput = toResultSchema(FindContentResult);

type FindContentDefinition = Extract<ToolDefinition, { readonly kind: 'find-content' }>;

const findContentSource = (
  { id, kind, name, description, storage }: FindContentDefinition,
  services: Services,
): ToolSource => {
  const [collectionId = '', storageId = ''] = storage.split('/');
  const subject = `storage ${storage}`;
  const tool = {
    id,
    title: name ?? id,
    description:
      description ??
      `Finds processes, documents and other elements of the storage ${storage} by words of their names and texts, also when they are misspelt. Use it for questions of how something is done or where it is described; each element says where the whole of it is read.`,
    isReadOnly: true,
    inputSchema: findContentInput,
    argumentsSchema: findContentInput,
    outputSchema: findContentOutput,
    run: (arguments_: Readonly<Record<string, unknown>>, context: Parameters<typeof callService>[2]) => {
      const request = { collectionId, storageId, arguments: arguments_ };
      return callService(services, { operation: findContent, request, subject }, context);
    },
  };
  return createFixedToolSource(tool, kind, 'content:read');
};
