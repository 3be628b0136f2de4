/**
 * How the platform is at this moment: this gateway, what it depends on, and which services answer it.
 * Refuses: addresses and reasons; they are in the logs.
 */
import type { CallFrame, ReplyOf } from '@tessera/contracts';
import { listFacets } from '@tessera/contracts/content-repo';
import type { readStatus } from '@tessera/contracts/gateway';
import { succeed, type Result } from '@tessera/failures';
import type { OperationClient } from '@tessera/messaging';
import type { Health } from '@tessera/service-kit';

const answerWithinMs = 1_000;
/** A storage that cannot exist: a service that says so is up. */
const nowhere = { collectionId: '-', storageId: '-', apiVersion: '1.0' } as const;

export class PlatformStatus {
  constructor(
    private readonly client: OperationClient,
    private readonly health: Health,
    private readonly version: string,
  ) {}

  async read(frame: CallFrame): Promise<Result<ReplyOf<typeof readStatus>>> {
    const [readiness, contentRepo] = await Promise.all([this.health.readiness(), this.#contentRepo(frame)]);
    return succeed({
      version: this.version,
      uptimeSeconds: Math.floor(process.uptime()),
      dependencies: { ...readiness.checks },
      services: { 'content-repo': contentRepo },
    });
  }

  async #contentRepo(frame: CallFrame): Promise<'up' | 'down'> {
    const result = await this.client.call(listFacets, nowhere, { ...frame, deadlineMs: Date.now() + answerWithinMs });
    return result.ok || result.failure.code !== 'SERVICE_UNAVAILABLE' ? 'up' : 'down';
  }
}
