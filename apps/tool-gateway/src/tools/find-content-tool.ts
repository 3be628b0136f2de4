/** The tool that finds elements of a storage. Refuses: to search itself; the owner of content does, as the caller. */
import { findContent, FindContentArguments, FindContentResult } from '@tessera/contracts/content-repo';
import type { ToolDefinition } from '@tessera/contracts/tool-gateway';
import { argumentsSchema, resultSchema } from './contract-schemas.js';
import { askService, type Services } from './service-answer.js';
import { fixedTool, type ToolSource } from './tool-source.js';

const input = argumentsSchema(FindContentArguments);
const output = resultSchema(FindContentResult);

type FindContentDefinition = Extract<ToolDefinition, { readonly kind: 'find-content' }>;

export const findContentSource = (
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
