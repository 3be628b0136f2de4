/**
 * State of the platform: this gateway, its dependencies, and the services that answer it. Never shows addresses and reasons.
 */
import { Injectable } from '@nestjs/common';
import type { CallFrame, ReplyOf } from '@tessera/contracts';
import { readToolsSpec } from '@tessera/contracts/agents';
import { listFacets } from '@tessera/contracts/content-repo';
import type { readPlatformStatus } from '@tessera/contracts/gateway';
import { readModel } from '@tessera/contracts/knowledge-models';
import { callTool } from '@tessera/contracts/tool-gateway';
import { succeed, type Result } from '@tessera/failures';
import { OperationClient } from '@tessera/messaging';
import { Health, productVersion } from '@tessera/service-kit';

const answerWithinMs = 1_000;
/** A storage that cannot exist: a service that says so is up. */
const noStorage = { collectionId: '-', storageId: '-', apiVersion: '1.0' } as const;
/** No id of a definition begins so. */
const noModel = { km_id: '-' };
const noTool = { asset_id: '-', tool_id: '-', draft: false };
const noAgent = { agent_id: '-', draft: false, version: '3.0' } as const;

@Injectable()
export class PlatformStatusReader {
  constructor(
    private readonly client: OperationClient,
    private readonly health: Health,
  ) {}

  async read(frame: CallFrame): Promise<Result<ReplyOf<typeof readPlatformStatus>>> {
    const within = { ...frame, deadlineMs: Date.now() + answerWithinMs };
    const [readiness, contentRepo, knowledgeModels, toolGateway, agents] = await Promise.all([
      this.health.readiness(),
      this.client.call(listFacets, noStorage, within),
      this.client.call(readModel, noModel, within),
      this.client.call(callTool, noTool, within),
      this.client.call(readToolsSpec, noAgent, within),
    ]);
    return succeed({
      version: productVersion,
      uptimeSeconds: Math.floor(process.uptime()),
      dependencies: { ...readiness.checks },
      services: {
        'content-repo': stateOf(contentRepo),
        'knowledge-models': stateOf(knowledgeModels),
        'tool-gateway': stateOf(toolGateway),
        agents: stateOf(agents),
      },
    });
  }
}

const stateOf = (answer: Result<unknown>): 'up' | 'down' =>
  answer.ok || answer.failure.code !== 'SERVICE_UNAVAILABLE' ? 'up' : 'down';
