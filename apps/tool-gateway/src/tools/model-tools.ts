/**
 * The tools over a knowledge model: each asks one operation of the service that owns models, as its caller.
 * Refuses: to judge names and data; that service does, at the time of the call.
 */
import type { Operation } from '@tessera/contracts';
import {
  getInsights,
  GetInsightsArguments,
  GetInsightsResult,
  GetKnowledgeModelArguments,
  loadData,
  LoadDataArguments,
  LoadDataResult,
  searchData,
  SearchDataArguments,
  SearchDataResult,
  ToolModel,
} from '@tessera/contracts/knowledge-models';
import type { ToolDefinition } from '@tessera/contracts/tool-gateway';
import { argumentsSchema, resultSchema } from './contract-schemas.js';
import { nameGetInsights, nameLoadData } from './name-columns.js';
import { presentModel, standardDescription } from './present-model.js';
import type { SeenModels } from './seen-models.js';
import { askService, failureOfTool, type Services } from './service-answer.js';
import type { JsonObject, Tool, ToolSource } from './tool.js';

export type ModelToolDefinition = Extract<ToolDefinition, { readonly knowledgeModel: string }>;
type ModelToolKind = ModelToolDefinition['kind'];

type Kind = {
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly operation?: Operation;
  readonly columnsAt?: string;
  readonly name?: (schema: JsonObject, model: ToolModel) => JsonObject;
};

const kinds: Readonly<Record<ModelToolKind, Kind>> = {
  'search-data': {
    input: argumentsSchema(SearchDataArguments),
    output: resultSchema(SearchDataResult),
    operation: searchData,
    columnsAt: 'search_terms',
  },
  'load-data': {
    input: argumentsSchema(LoadDataArguments),
    output: resultSchema(LoadDataResult),
    operation: loadData,
    columnsAt: 'columns',
    name: nameLoadData,
  },
  'get-insights': {
    input: argumentsSchema(GetInsightsArguments),
    output: resultSchema(GetInsightsResult),
    operation: getInsights,
    columnsAt: 'field_ids',
    name: nameGetInsights,
  },
  'get-knowledge-model': { input: argumentsSchema(GetKnowledgeModelArguments), output: resultSchema(ToolModel) },
};

export type ModelSurroundings = { readonly services: Services; readonly models: SeenModels };

export const modelToolSource = (definition: ModelToolDefinition, surroundings: ModelSurroundings): ToolSource => {
  const { id, kind, name, description, knowledgeModel } = definition;
  const { input, output, name: nameColumns } = kinds[kind];
  const run = runOf(definition, surroundings);
  return {
    id,
    kind,
    scope: 'knowledge-models:read',
    modelId: knowledgeModel,
    bind: (model) => ({
      id,
      title: name ?? id,
      description: description ?? standardDescription(kind, knowledgeModel, model),
      isReadOnly: true,
      inputSchema: model && nameColumns ? nameColumns(input, model) : input,
      argumentsSchema: input,
      outputSchema: output,
      run,
    }),
  };
};

const runOf = ({ kind, knowledgeModel }: ModelToolDefinition, { services, models }: ModelSurroundings): Tool['run'] => {
  const { operation, columnsAt } = kinds[kind];
  const subject = `knowledge model ${knowledgeModel}`;
  if (operation === undefined)
    return async (_arguments, context) => {
      const asked = await models.ask(knowledgeModel, context);
      return asked.ok ? presentModel(asked.value) : { ok: false, failure: failureOfTool(asked.failure, { subject }) };
    };
  return (arguments_, context) => {
    const request = { km_id: knowledgeModel, arguments: arguments_ };
    return askService(services, { operation, request, subject, ...(columnsAt && { columnsAt }) }, context);
  };
};
