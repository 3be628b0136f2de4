/**
 * Batches of the revisions that have them: each message is answered like one that came alone, in an iteration of the event
 * loop of its own, and the answers are one list, or one stream of events, in the order of the messages.
 */
import type { ByteReply } from '@tessera/contracts';
import { mcpBatchMax } from '@tessera/contracts/tool-gateway';
import { waitForEventLoopTurn } from '@tessera/fair-queue';
import { isObject } from '../tools/tool.js';
import { handleWithoutSdk } from './fast-path.js';
import {
  canUseBatches,
  createJsonRpcError,
  createJsonRpcReply,
  isLegacyRevision,
  type McpExchange,
  resolveRevision,
  statelessRevision,
} from './protocol.js';
import { handleWithSdk } from './sdk-path.js';

const invalidRequest = -32_600;

/** Why the batch as a whole is refused. */
export const refuseBatch = (messages: readonly unknown[], header: string | undefined): ByteReply | undefined => {
  const refuse = (why: string): ByteReply => createJsonRpcError(400, invalidRequest, `Invalid Request: ${why}`);
  const revision = resolveRevision(header);
  if (revision === statelessRevision || (isLegacyRevision(revision) && !canUseBatches(header)))
    return refuse(`revision ${revision} has no batches.`);
  if (messages.length === 0) return refuse('the batch is empty.');
  if (messages.length > mcpBatchMax) return refuse(`Batch must not exceed ${mcpBatchMax} messages`);
  const ids = messages.flatMap((each) => (isObject(each) && each['method'] !== undefined ? (each['id'] ?? []) : []));
  return new Set(ids).size === ids.length ? undefined : refuse('two requests of the batch have the same id.');
};

export const answerBatch = async (
  exchange: McpExchange,
  messages: readonly unknown[],
  team: string,
): Promise<ByteReply> => {
  const alone: McpExchange = { ...exchange, shape: 'json' };
  const answer = async (message: unknown): Promise<readonly Uint8Array[]> => {
    await waitForEventLoopTurn(team);
    const { body } = await (handleWithoutSdk(alone, message) ?? handleWithSdk(alone, message));
    return body instanceof Uint8Array && body.length > 0 ? [body] : [];
  };
  const answers = (await Promise.all(messages.filter(hasAnswer).map(answer))).flat();
  if (answers.length === 0) return { status: 202, contentType: '', body: new Uint8Array(0) };
  if (exchange.shape !== 'events') return createJsonRpcReply(joinBytes('[', answers, ',', ']'));
  const events = joinBytes('event: message\ndata: ', answers, '\n\nevent: message\ndata: ', '\n\n');
  return { status: 200, contentType: 'text/event-stream', body: events };
};

/** A request that is cancelled would have no answer, and a batch waits for all of its answers. */
const hasAnswer = (message: unknown): boolean => !isObject(message) || message['method'] !== 'notifications/cancelled';

const joinBytes = (before: string, parts: readonly Uint8Array[], between: string, behind: string): Uint8Array =>
  Buffer.concat([
    Buffer.from(before),
    ...parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from(between), part])),
    Buffer.from(behind),
  ]);
