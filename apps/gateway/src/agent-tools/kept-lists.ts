/**
 * Lists of tools as the tool gateway has answered them, for as long as it says that the same message has the same answer; no
 * longer than it would take to see a publication itself. Other answers pass.
 */
import { type ByteReply, callerKeyOf, type CallFrame, type RequestOf } from '@tessera/contracts';
import { type exchangeMcp, freshForHeader } from '@tessera/contracts/tool-gateway';
import { type Result, succeed } from '@tessera/failures';
import { LRUCache } from 'lru-cache';

type Request = RequestOf<typeof exchangeMcp>;
type KeptList = { readonly result: Result<ByteReply>; readonly bytes: number; readonly untilMs: number };

const bytesMax = 16 * 1024 * 1024;
/** Those of clients are shorter. */
const messageLengthMax = 1_000;

export class KeptLists {
  readonly #lists = new LRUCache<string, KeptList>({
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }, key) => bytes + key.length,
  });

  /** The list, or what `ask` answers. */
  async answer(
    request: Request,
    { caller }: CallFrame,
    ask: () => Promise<Result<ByteReply>>,
  ): Promise<Result<ByteReply>> {
    const { message } = request;
    const mayBeKept = message.length <= messageLengthMax && message.includes('"tools/list"');
    const key = mayBeKept ? `${callerKeyOf(caller)} ${JSON.stringify(request)}` : undefined;
    const askedAtMs = performance.now();
    const kept = key === undefined ? undefined : this.#lists.get(key);
    if (kept && askedAtMs < kept.untilMs) return kept.result;
    const result = await ask();
    const freshForMs = result.ok ? result.value.headers?.[freshForHeader] : undefined;
    if (!result.ok || freshForMs === undefined) return result;
    const { headers: _, ...reply } = result.value;
    if (key === undefined || !(reply.body instanceof Uint8Array)) return succeed(reply);
    // A copy, since what came may be a part of much more.
    const body = Uint8Array.from(reply.body);
    const list = succeed({ ...reply, body });
    this.#lists.set(key, { result: list, bytes: body.byteLength, untilMs: askedAtMs + Number(freshForMs) });
    return list;
  }
}
