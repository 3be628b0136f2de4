import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { readToolsSpec } from '@tessera/contracts/agents';
import type { Result } from '@tessera/failures';
import { createJsonReply, Serves, type OperationContext } from '@tessera/messaging';
import { Agents } from '../agents/agents.js';
import { AgentToolbox } from './agent-toolbox.js';
import { createToolsDocument } from './tools-document.js';

@Controller()
export class SpecifyToolsHandler {
  constructor(
    private readonly agents: Agents,
    private readonly toolbox: AgentToolbox,
  ) {}

  @Serves(readToolsSpec)
  async specify(request: RequestOf<typeof readToolsSpec>, context: OperationContext): Promise<Result<ByteReply>> {
    const { agents, toolbox } = this;
    const agent = await agents.find(context.caller.team, request.agent_id, request.draft);
    if (!agent.ok) return agent;
    const tools = await toolbox.of(agent.value, context);
    if (!tools.ok) return tools;
    const { publicUrl } = context;
    return createJsonReply(createToolsDocument(agent.value, tools.value, { version: request.version, publicUrl }));
  }
}
