/**
 * What changes between two definitions of an asset, member by member, tools by their ids; and whether who calls the tools as
 * they are may fail afterwards. Refuses: the order of tools; it means nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AgentToolsAssetDefinition, AppliedAsset } from '@tessera/contracts/tool-gateway';

type Change = AppliedAsset['changes'][number];
type Members = Readonly<Record<string, unknown>>;

const changesMax = 200;

export const compareAssets = (
  before: AgentToolsAssetDefinition,
  after: AgentToolsAssetDefinition,
): readonly Change[] => {
  const { tools: toolsBefore, ...restBefore } = before;
  const { tools: toolsAfter, ...restAfter } = after;
  const changes = [
    ...compareMembers(restBefore, restAfter, ''),
    ...compareMembers(byId(toolsBefore), byId(toolsAfter), 'tools.'),
  ];
  return changes.slice(0, changesMax);
};

const byId = (tools: AgentToolsAssetDefinition['tools']): Members =>
  Object.fromEntries(tools.map((tool) => [tool.id, tool]));

const compareMembers = (before: Members, after: Members, prefix: string): readonly Change[] => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => compareValues(before[name], after[name], `${prefix}${name}`));
};

const compareValues = (before: unknown, after: unknown, path: string): readonly Change[] => {
  if (isDeepStrictEqual(before, after)) return [];
  if (before === undefined) return [change(path, 'added')];
  if (after === undefined) return [change(path, 'removed')];
  // A schema is one thing to who reads of its change.
  if (isMembers(before) && isMembers(after) && !schemaPath.test(path)) return compareMembers(before, after, `${path}.`);
  return [change(path, 'changed')];
};

const schemaPath = /^tools\.[^.]+\.(input|output)Schema$/;
/** What a caller relies on: that the tool is there, what it does, what it takes. */
const reliedOn = /^tools\.[^.]+(\.(kind|knowledgeModel|storage|inputSchema))?$/;

const change = (path: string, kind: Change['change']): Change => ({
  path,
  change: kind,
  breaks: reliedOn.test(path) && kind !== 'added',
});

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
