/** Lists and calls the tools of an agent through the tool gateway, always as the caller: the agent adds no permissions. */
import { Logger } from '@nestjs/common';
import { type ByteReply, canCall, type CallFrame, evidenceHeader, evidencePreference } from '@tessera/contracts';
import type { AgentDefinition } from '@tessera/contracts/agents';
import { callToolForAgent, normaliseToolId, type ListedTool } from '@tessera/contracts/tool-gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import { readReply, type OperationClient } from '@tessera/messaging';
import type { AgentVersion } from '../agents/agents.js';
import type { AgentTool, ToolAnswer } from './agent-tool.js';
import { ToolListCache } from './listed-tools.js';

type Entry = AgentDefinition['tools'][number];
type CallOptions = { readonly signal: AbortSignal; readonly wantsEvidence: boolean };

export class AgentToolbox {
  readonly #logger = new Logger('AgentToolbox');
  readonly #listed: ToolListCache;

  constructor(private readonly services: Pick<OperationClient, 'call'>) {
    this.#listed = new ToolListCache(services);
  }

  /**
   * In the order of the definition; of two that are called the same the first. What is not there any more is left out and
   * logged. Failures: ADMIN_ACCESS_ERROR for a caller who may call no tools, SERVICE_UNAVAILABLE.
   */
  async of(agent: AgentVersion, frame: CallFrame): Promise<Result<readonly AgentTool[]>> {
    const entries = agent.definition.tools;
    if (entries.length === 0) return succeed([]);
    if (!canCall(frame.caller, callToolForAgent)) return mayNotCall;
    const tools = new Map<string, AgentTool>();
    const listed = await Promise.all(entries.map((entry) => this.#toolsOf(agent, entry, frame)));
    for (const found of listed) {
      if (!found.ok) return found;
      for (const tool of found.value)
        if (!tools.has(normaliseToolId(tool.id))) tools.set(normaliseToolId(tool.id), tool);
    }
    return succeed([...tools.values()]);
  }

  /**
   * What the tool answers its caller, as JSON text, with the address of its evidence when that is wanted. Failures: those of `callToolForAgent`; AGENT_TOOL_NOTFOUND for a tool that is gone since it was
   * listed.
   */
  async call(
    tool: AgentTool,
    args: unknown,
    frame: CallFrame,
    { signal, wantsEvidence }: CallOptions,
  ): Promise<Result<ToolAnswer>> {
    const { assetId, id, isDraft } = tool;
    const called = { asset_id: assetId, tool_id: id, draft: isDraft, arguments: args };
    const request = wantsEvidence ? { ...called, prefer: evidencePreference } : called;
    const answer = await this.services.call(callToolForAgent, request, frame, signal);
    if (answer.ok) return toolAnswerOf(answer.value);
    const { code } = answer.failure;
    return code === 'TOOL_ASSET_NOTFOUND' || code === 'TOOL_NOTFOUND' ? toolGone(tool) : answer;
  }

  async #toolsOf(agent: AgentVersion, entry: Entry, frame: CallFrame): Promise<Result<readonly AgentTool[]>> {
    const listed = await this.#listedBy(agent, entry.asset, frame);
    if (!listed.ok) {
      if (listed.failure.code !== 'TOOL_ASSET_NOTFOUND') return listed;
      this.#miss(agent, frame, `the asset ${entry.asset}`);
      return succeed([]);
    }
    const { tools, isDraft } = listed.value;
    if (entry.tools === undefined) return succeed(tools.map((tool) => agentTool(entry.asset, isDraft, tool)));
    return succeed(
      entry.tools.flatMap((toolId) => {
        const tool = tools.find(({ name }) => normaliseToolId(name) === normaliseToolId(toolId));
        if (tool) return [agentTool(entry.asset, isDraft, tool)];
        this.#miss(agent, frame, `the tool ${toolId} of ${entry.asset}`);
        return [];
      }),
    );
  }

  /** The draft of an agent has the draft of an asset, where there is one. */
  async #listedBy({ version }: AgentVersion, assetId: string, frame: CallFrame) {
    if (version === 'draft') {
      const draft = await this.#listed.of({ assetId, isDraft: true }, frame);
      if (draft.ok) return succeed({ tools: draft.value, isDraft: true });
      if (draft.failure.code !== 'TOOL_ASSET_NOTFOUND') return draft;
    }
    const published = await this.#listed.of({ assetId, isDraft: false }, frame);
    return published.ok ? succeed({ tools: published.value, isDraft: false }) : published;
  }

  #miss({ agentId }: AgentVersion, { caller }: CallFrame, what: string): void {
    this.#logger.warn(`The agent ${agentId} of the team ${caller.team} refers to ${what}, which is not there.`);
  }
}

const toolAnswerOf = async (reply: ByteReply): Promise<Result<ToolAnswer>> => {
  const json = await readReply(reply);
  const evidence = reply.headers?.[evidenceHeader];
  return json.ok ? succeed({ json: json.value, ...(evidence !== undefined && { evidence }) }) : json;
};

const agentTool = (
  assetId: string,
  isDraft: boolean,
  { name, title, description, inputSchema, outputSchema, isReadOnly }: ListedTool,
): AgentTool => ({
  id: name,
  assetId,
  isDraft,
  title,
  description,
  inputSchema,
  ...(outputSchema && { outputSchema }),
  isReadOnly,
});

const mayNotCall = fail(
  'ADMIN_ACCESS_ERROR',
  `The credential lacks the scope ${callToolForAgent.scope}, which the tools of the agent need.`,
);

const toolGone = ({ id }: AgentTool): Result<never> =>
  fail('AGENT_TOOL_NOTFOUND', `The tool ${id} is not there any more.`);
