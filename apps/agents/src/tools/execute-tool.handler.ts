/** Calls one tool of an agent without its model. An effect is announced before the call. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { executeTool } from '@tessera/contracts/agents';
import { normaliseToolId } from '@tessera/contracts/tool-gateway';
import { type Failure, type Result, fail, findNearestName, succeed } from '@tessera/failures';
import { type AnnouncingContext, Serves, createJsonTextReply } from '@tessera/messaging';
import { Agents } from '../agents/agents.js';
import type { AgentTool } from './agent-tool.js';
import { AgentToolbox } from './agent-toolbox.js';

@Controller()
export class ExecuteToolHandler {
  constructor(
    private readonly agents: Agents,
    private readonly toolbox: AgentToolbox,
  ) {}

  @Serves(executeTool)
  async execute(request: RequestOf<typeof executeTool>, context: AnnouncingContext): Promise<Result<ByteReply>> {
    const { agents, toolbox } = this;
    const agent = await agents.find(context.caller.team, request.agent_id, request.draft);
    if (!agent.ok) return agent;
    const tools = await toolbox.of(agent.value, context);
    if (!tools.ok) return tools;
    const tool = findListedTool(tools.value, request.tool_id);
    if (!tool.ok) return tool;
    if (!tool.value.isReadOnly) await context.announceEffect();
    const options = { signal: context.signal, wantsEvidence: false };
    const answer = await toolbox.call(tool.value, request.arguments, context, options);
    return answer.ok
      ? createJsonTextReply(objectText(answer.value.json))
      : { ok: false, failure: failureOf(answer.failure) };
  }
}

/** An object goes on as it came. */
const objectText = (json: string): string => {
  if (/^\s*\{/.test(json)) return json;
  const value: unknown = JSON.parse(json);
  return JSON.stringify(typeof value === 'string' ? { text: value } : { result: value });
};

/** Programs of this interface know the faults of arguments as 400. */
const failureOf = (failure: Failure): Failure =>
  failure.code === 'TOOL_ARGUMENTS_INVALID' ? { ...failure, code: 'AGENT_ARGUMENTS_INVALID' } : failure;

/** So many ids are listed when none is near. */
const listedMax = 12;

/** `-` and `_` are the same. */
const findListedTool = (tools: readonly AgentTool[], toolId: string): Result<AgentTool> => {
  const tool = tools.find(({ id }) => normaliseToolId(id) === normaliseToolId(toolId));
  return tool ? succeed(tool) : fail('AGENT_TOOL_NOTFOUND', `There is no tool ${toolId}${hintFor(tools, toolId)}`);
};

const hintFor = (tools: readonly AgentTool[], toolId: string): string => {
  const ids = tools.map(({ id }) => id);
  if (ids.length === 0) return '; the agent has none.';
  const near = findNearestName(toolId, ids);
  if (near !== undefined) return `. Did you mean ${near}?`;
  return ids.length > listedMax ? '.' : `; expected one of ${ids.join(', ')}.`;
};
