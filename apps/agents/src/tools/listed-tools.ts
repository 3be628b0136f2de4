/**
 * The tools of assets as callers see them, cached for a second. Concurrent requests of a caller share one read; callers with
 * equal lists share the object. Failures are not cached.
 */
import { createHash } from 'node:crypto';
import { canonicalDigest, type CallFrame } from '@tessera/contracts';
import { listTools, type ListedTool } from '@tessera/contracts/tool-gateway';
import { succeed, type Result } from '@tessera/failures';
import { readReply, type OperationClient } from '@tessera/messaging';
import { LRUCache } from 'lru-cache';

export type AssetToolsRequest = { readonly assetId: string; readonly isDraft: boolean };

const entryAgeMaxMs = 1_000;
/** Of callers and assets together. */
const entriesMax = 5_000;
/** Characters of lists. */
const textCharactersMax = 32 * 1024 * 1024;

type Tools = readonly ListedTool[];
type Entry = { tools: Tools | undefined; untilMs: number; asking: Promise<Result<Tools>> | undefined };

/** Who sees the same at any time. */
const callerKeyOf = ({ caller }: CallFrame): string => canonicalDigest(caller);

export class ToolListCache {
  readonly #entries = new LRUCache<string, Entry>({ max: entriesMax });
  /** By the SHA-256 of their text. */
  readonly #texts = new LRUCache<string, Tools>({ maxSize: textCharactersMax, max: entriesMax });

  constructor(
    private readonly services: Pick<OperationClient, 'call'>,
    private readonly clockMs: () => number = () => performance.now(),
  ) {}

  /** Failures: those of `toMcpToolList`, and of services that are away. */
  async of(question: AssetToolsRequest, frame: CallFrame): Promise<Result<Tools>> {
    const name = JSON.stringify([question.assetId, question.isDraft, callerKeyOf(frame)]);
    const entry = this.#entries.get(name) ?? { tools: undefined, untilMs: -Infinity, asking: undefined };
    if (entry.tools && this.clockMs() < entry.untilMs) return succeed(entry.tools);
    this.#entries.set(name, entry);
    entry.asking ??= this.#refresh(entry, question, frame).finally(() => (entry.asking = undefined));
    return entry.asking;
  }

  async #refresh(entry: Entry, { assetId, isDraft }: AssetToolsRequest, frame: CallFrame): Promise<Result<Tools>> {
    const untilMs = this.clockMs() + entryAgeMaxMs;
    const answer = await this.services.call(listTools, { asset_id: assetId, draft: isDraft }, frame);
    const text = answer.ok ? await readReply(answer.value) : answer;
    if (!text.ok) return text;
    entry.tools = this.#parsed(text.value);
    entry.untilMs = untilMs;
    return succeed(entry.tools);
  }

  #parsed(text: string): Tools {
    const digest = createHash('sha256').update(text).digest('base64');
    const known = this.#texts.get(digest);
    if (known) return known;
    const { tools } = listTools.reply.parse(JSON.parse(text));
    this.#texts.set(digest, tools, { size: Math.min(Math.max(text.length, 1), textCharactersMax) });
    return tools;
  }
}
