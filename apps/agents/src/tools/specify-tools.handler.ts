import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { specifyTools } from '@tessera/contracts/agents';
import type { Result } from '@tessera/failures';
import { jsonReply, Serves, type OperationContext } from '@tessera/messaging';
import { Agents } from '../agents/agents.js';
import { AgentToolbox } from './agent-toolbox.js';
import { toolsDocument } from './tools-document.js';

@Controller()
export class SpecifyToolsHandler {
  constructor(
    private readonly agents: Agents,
    private readonly toolbox: AgentToolbox,
  ) {}

  @Serves(specifyTools)
  async specify(request: RequestOf<typeof specifyTools>, context: OperationContext): Promise<Result<ByteReply>> {
    const { agents, toolbox } = this;
    const agent = await agents.find(context.caller.team, request.agent_id, request.draft);
    if (!agent.ok) return agent;
    const tools = await toolbox.of(agent.value, context);
    if (!tools.ok) return tools;
    const { publicUrl } = context;
    return jsonReply(toolsDocument(agent.value, tools.value, { version: request.version, publicUrl }));
  }
}
