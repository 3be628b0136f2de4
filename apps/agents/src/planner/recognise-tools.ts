/** Recognises tools by the shape of their arguments, since teams choose the ids. Never calls any other tool. */
import { isObject, type JsonObject } from './json.js';

export type ToolKind = 'search' | 'load' | 'insights' | 'model' | 'content';
export type KnownTools = { readonly [kind in ToolKind]?: string };

export type OfferedTool = { readonly name: string; readonly description: string; readonly inputSchema: unknown };

const kindOf = ({ name, description, inputSchema }: OfferedTool): ToolKind | undefined => {
  const properties: JsonObject =
    isObject(inputSchema) && isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  const has = (...members: readonly string[]): boolean => members.every((member) => Object.hasOwn(properties, member));
  if (has('search_terms')) return 'search';
  if (has('columns', 'applied_filters')) return 'load';
  if (has('kpi', 'field_ids')) return 'insights';
  if (has('query', 'culture')) return 'content';
  const isEmpty = Object.keys(properties).length === 0;
  return isEmpty && /model|kpi/i.test(`${name} ${description}`) ? 'model' : undefined;
};

/** Where none is offered any more: what was called, by its arguments and what came. */
export const recogniseCalledTools = (
  calls: readonly { readonly tool: string; readonly args: JsonObject; readonly value: unknown }[],
): KnownTools => {
  const tools: { [kind in ToolKind]?: string } = {};
  for (const { tool, args, value } of calls) {
    const kind = kindOf({ name: tool, description: '', inputSchema: { properties: args } });
    const isLoad = kind === undefined && Object.hasOwn(args, 'columns');
    const isModel = isObject(value) && Array.isArray(value['kpis']);
    const known = isModel ? 'model' : isLoad ? 'load' : kind;
    if (known !== undefined) tools[known] ??= tool;
  }
  return tools;
};

/** The first of each kind. */
export const recogniseTools = (offered: readonly OfferedTool[]): KnownTools => {
  const tools: { [kind in ToolKind]?: string } = {};
  for (const tool of offered) {
    const kind = kindOf(tool);
    if (kind !== undefined) tools[kind] ??= tool.name;
  }
  return tools;
};
