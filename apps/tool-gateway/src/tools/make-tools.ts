/** The tools that a definition asks for, each by its kind. Refuses: to know what a kind does. */
import type { ToolDefinition } from '@tessera/contracts/tool-gateway';
import { httpRequestTool } from '../http-request/http-request-tool.js';
import type { ProcessRequests } from '../http-request/surroundings.js';
import { findContentSource } from './find-content-tool.js';
import { modelToolSource, type ModelSurroundings } from './model-tools.js';
import { fixedTool, type ToolSource } from './tool-source.js';

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
