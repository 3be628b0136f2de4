import { findContent, FindContentArguments, FindContentResult } from '@tessera/contracts/content-repo';
import type { ToolDefinition } from '@tessera/contracts/tool-gateway';
import { httpRequestTool } from '../http-request/http-request-tool.js';
import type { ProcessRequests } from '../http-request/surroundings.js';
import { argumentsSchema, resultSchema } from './contract-schemas.js';
import { type ModelSurroundings, modelToolSource } from './model-tools.js';
import { askService, type Services } from './service-answer.js';
import { fixedTool, type ToolSource } from './tool.js';

/** Once for each process. */
export type ToolSurroundings = ModelSurroundings & { readonly requests: ProcessRequests };

export const makeTool = (definition: ToolDefinition, team: string, surroundings: ToolSurroundings): ToolSource => {
  switch (definition.kind) {
    case 'find-content':
      return findContentSource(definition, surroundings.services);
    case 'http-request':
      return fixedTool(httpRequestTool(definition, { ...surroundings.requests, team }), definition.kind);
    case 'search-data':
    case 'load-data':
    case 'get-insights':
    case 'get-knowledge-model':
      return modelToolSource(definition, surroundings);
  }
};

const input = argumentsSchema(FindContentArguments);
const output = resultSchema(FindContentResult);

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
    inputSchema: input,
    argumentsSchema: input,
    outputSchema: output,
    run: (arguments_: Readonly<Record<string, unknown>>, context: Parameters<typeof askService>[2]) => {
      const request = { collectionId, storageId, arguments: arguments_ };
      return askService(services, { operation: findContent, request, subject }, context);
    },
  };
  return fixedTool(tool, kind, 'content:read');
};
