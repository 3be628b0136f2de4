/** A tool of an agent as its caller sees it. The tools are fixed before a turn begins. */
import type { JsonObject } from '../models/model.js';

export type AgentTool = {
  /** The id that the model and the address of the tool use. */
  readonly id: string;
  readonly assetId: string;
  /** Whether it is one of the draft of its asset. */
  readonly isDraft: boolean;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly isReadOnly: boolean;
};

/** What a tool answered. */
export type ToolAnswer = {
  /** JSON text. */
  readonly json: string;
  /** The address of the evidence of the figures in it; absent when the tool tells none, or it was not kept. */
  readonly evidence?: string;
};
