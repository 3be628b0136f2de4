/**
 * What a language model gets to know of a knowledge model: the description of a tool over it, and the whole model as a result.
 */
import type { ToolKnowledgeModel } from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import type { ModelToolDefinition } from './model-tools.js';
import type { ToolResult } from './tool.js';

const bytesByModel = new WeakMap<ToolKnowledgeModel, Uint8Array>();

/** The bytes are made once for each model that callers see. */
export const presentModel = (model: ToolKnowledgeModel): Result<ToolResult> => {
  const bytes = bytesByModel.get(model) ?? Buffer.from(JSON.stringify(model));
  bytesByModel.set(model, bytes);
  return succeed({ bytes });
};

const purposeByKind: Readonly<Record<ModelToolDefinition['kind'], string>> = {
  'search-data':
    'Finds what words of a question mean in the data: ids of fields, KPIs and filters by their names, synonyms and descriptions, and values of fields, also when they are misspelt. Use it first when it is not clear which columns or values are meant.',
  'load-data':
    'Loads rows: values of fields, and KPIs aggregated over the fields that stand beside them; filtered, sorted and in pages. Use it for figures, comparisons, top lists and single records.',
  'get-insights':
    'Finds which values of fields drive a KPI, by how much they contribute to it. Use it for questions of why a figure is high or low.',
  'get-knowledge-model':
    'Tells all that there is: records with their fields, KPIs and filters, with ids, names, types and descriptions. Use it to learn what can be asked.',
};

const namesMax = 12;

/** Of a definition that has no description. `model`: absent when the caller does not see it. */
export const createDefaultDescription = (
  kind: ModelToolDefinition['kind'],
  modelId: string,
  model: ToolKnowledgeModel | undefined,
): string => {
  const purpose = purposeByKind[kind];
  if (!model) return `${purpose} The data is that of the knowledge model ${modelId}.`;
  const { name, description, records, kpis } = model;
  return [
    purpose,
    `The data is that of the knowledge model ${name}${description === '' ? '' : `: ${description.slice(0, 500)}`}`,
    ...listNames('Records', records),
    ...listNames('KPIs', kpis),
  ].join('\n');
};

const listNames = (what: string, named: readonly { readonly name: string }[]): readonly string[] => {
  if (named.length === 0) return [];
  const names = named.slice(0, namesMax).map(({ name }) => name);
  const more = named.length > namesMax ? ` and ${named.length - namesMax} more` : '';
  return [`${what}: ${names.join(', ')}${more}.`];
};
