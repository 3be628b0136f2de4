/**
 * The tools over a knowledge model: each calls one operation of the service that owns models, as its caller. That service checks
 * names and data at the time of the call.
 */
import { evidencePreference, type Operation } from '@tessera/contracts';
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
  ToolKnowledgeModel,
} from '@tessera/contracts/knowledge-models';
import type { ToolDefinition } from '@tessera/contracts/tool-gateway';
import type { VisibleModelCache } from './asset-tools.js';
import { callService, type Services, toToolFailure } from './call-service.js';
import { toArgumentsSchema, toResultSchema } from './contract-schemas.js';
import { withGetInsightsNames, withLoadDataNames } from './model-names.js';
import { createDefaultDescription, presentModel } from './present-model.js';
import type { JsonObject, Tool, ToolSource } from './tool.js';

export type ModelToolDefinition = Extract<ToolDefinition, { readonly knowledgeModel: string }>;
type ModelToolKind = ModelToolDefinition['kind'];

type Kind = {
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly operation?: Operation;
  readonly columnsAt?: string;
  /** Whether its result can be kept as evidence. */
  readonly tellsFigures?: true;
  readonly withNames?: (schema: JsonObject, model: ToolKnowledgeModel) => JsonObject;
};

const toolKinds: Readonly<Record<ModelToolKind, Kind>> = {
  'search-data': {
    input: toArgumentsSchema(SearchDataArguments),
    output: toResultSchema(SearchDataResult),
    operation: searchData,
    columnsAt: 'search_terms',
  },
  'load-data': {
    input: toArgumentsSchema(LoadDataArguments),
    output: toResultSchema(LoadDataResult),
    operation: loadData,
    columnsAt: 'columns',
    tellsFigures: true,
    withNames: withLoadDataNames,
  },
  'get-insights': {
    input: toArgumentsSchema(GetInsightsArguments),
    output: toResultSchema(GetInsightsResult),
    operation: getInsights,
    columnsAt: 'field_ids',
    tellsFigures: true,
    withNames: withGetInsightsNames,
  },
  'get-knowledge-model': {
    input: toArgumentsSchema(GetKnowledgeModelArguments),
    output: toResultSchema(ToolKnowledgeModel),
  },
};

export type ModelToolOptions = { readonly services: Services; readonly models: VisibleModelCache };

export const createModelToolSource = (definition: ModelToolDefinition, options: ModelToolOptions): ToolSource => {
  const { id, kind, name, description, knowledgeModel } = definition;
  const { input, output, withNames: nameColumns } = toolKinds[kind];
  const run = runOf(definition, options);
  return {
    id,
    kind,
    scope: 'knowledge-models:read',
    modelId: knowledgeModel,
    bind: (model) => ({
      id,
      title: name ?? id,
      description: description ?? createDefaultDescription(kind, knowledgeModel, model),
      isReadOnly: true,
      inputSchema: model && nameColumns ? nameColumns(input, model) : input,
      argumentsSchema: input,
      outputSchema: output,
      run,
    }),
  };
};

const runOf = ({ kind, knowledgeModel }: ModelToolDefinition, { services, models }: ModelToolOptions): Tool['run'] => {
  const { operation, columnsAt, tellsFigures } = toolKinds[kind];
  const subject = `knowledge model ${knowledgeModel}`;
  if (operation === undefined)
    return async (_arguments, context) => {
      const described = await models.describe(knowledgeModel, context);
      return described.ok
        ? presentModel(described.value)
        : { ok: false, failure: toToolFailure(described.failure, { subject }) };
    };
  return (arguments_, context) => {
    const prefer = tellsFigures && context.wantsEvidence ? { prefer: evidencePreference } : {};
    const request = { km_id: knowledgeModel, arguments: arguments_, ...prefer };
    return callService(services, { operation, request, subject, ...(columnsAt && { columnsAt }) }, context);
  };
};
