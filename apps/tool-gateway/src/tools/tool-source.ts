/**
 * A tool of a version of an asset before it is known who asks: callers may see different names of the model behind it.
 * Refuses: to ask a model itself; `bind` gets what the caller sees.
 */
import type { Scope } from '@tessera/contracts';
import type { ToolKind } from '@tessera/contracts/tool-gateway';
import type { ToolModel } from '@tessera/contracts/knowledge-models';
import type { Tool } from './tool.js';

export type ToolSource = {
  readonly id: string;
  /** `fixture`: made by the service itself, for tests of the protocol. */
  readonly kind: ToolKind | 'fixture';
  /** What its data needs beside `tools:execute`. */
  readonly scope?: Scope;
  /** The knowledge model whose names stand in its schemas. */
  readonly modelId?: string;
  /** `model`: as the caller sees it; absent when the tool has none, or when the caller does not see it. */
  readonly bind: (model: ToolModel | undefined) => Tool;
};

/** A tool that is the same for every caller. */
export const fixedTool = (tool: Tool, kind: ToolSource['kind'], scope?: Scope): ToolSource => ({
  id: tool.id,
  kind,
  ...(scope && { scope }),
  bind: () => tool,
});
