/**
 * Which of the tools that are offered does what, by the shape of its arguments: ids are chosen by a team.
 * Refuses: tools that it does not know; they are never called.
 */
import { isObject, type Json } from './json.js';

export type ToolKind = 'search' | 'load' | 'insights' | 'model' | 'content';
export type KnownTools = { readonly [kind in ToolKind]?: string };

export type OfferedTool = { readonly name: string; readonly description: string; readonly inputSchema: unknown };

const kindOf = ({ name, description, inputSchema }: OfferedTool): ToolKind | undefined => {
  const properties: Json =
    isObject(inputSchema) && isObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  const has = (...members: readonly string[]): boolean => members.every((member) => Object.hasOwn(properties, member));
  if (has('search_terms')) return 'search';
  if (has('columns', 'applied_filters')) return 'load';
  if (has('kpi', 'field_ids')) return 'insights';
  if (has('query', 'culture')) return 'content';
  const isEmpty = Object.keys(properties).length === 0;
  return isEmpty && /model|kpi/i.test(`${name} ${description}`) ? 'model' : undefined;
};

/** The first of each kind. */
export const recogniseTools = (offered: readonly OfferedTool[]): KnownTools =>
  Object.fromEntries(
    offered
      .toReversed()
      .map((tool) => [kindOf(tool), tool.name] as const)
      .filter(([kind]) => kind !== undefined),
  );
