/**
 * A content repository of the specs: on real NATS, it tells what it was asked and misbehaves where a name says so.
 * `meridian` is the only team that has anything.
 */
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import * as contentRepo from '@tessera/contracts/content-repo';
import {
  listElements,
  listFacets,
  listViews,
  readElement,
  reportElement,
  reportFacet,
} from '@tessera/contracts/content-repo';
import { fail, succeed, type Result } from '@tessera/failures';
import { connectNats, NatsOperations, Serves, silentLog, type OperationContext } from '@tessera/messaging';
import { operationsIn } from '@tessera/testing';

export const pieceBytes = 64 * 1024;

/** What the handlers saw. */
export const seen = { left: 0, produced: 0, served: 0 };

const json = 'application/json; charset=utf-8';

const tell = (operation: string, request: object, context: OperationContext, headers = {}): Result<ByteReply> => {
  seen.served++;
  const { caller, requestId, traceparent, deadlineMs, publicUrl } = context;
  const frame = { caller, requestId, traceparent, deadlineMs, publicUrl };
  if (caller.team !== 'meridian') return fail('CONTENT_NOTFOUND', `storage of team ${caller.team} is none`);
  const body = Buffer.from(JSON.stringify({ operation, request, frame }));
  return succeed({ contentType: json, headers, body });
};

const pieces = async function* (count: number, { signal }: OperationContext, isBroken: boolean) {
  try {
    for (let sent = 0; sent < count && !signal.aborted; sent++) {
      seen.produced++;
      yield Buffer.alloc(pieceBytes, 'x');
    }
    if (isBroken) throw new Error('the cursor of schema content_repo is lost');
  } finally {
    seen.left++;
  }
};

@Controller()
class TrialContentController {
  @Serves(listFacets)
  async listFacets(request: RequestOf<typeof listFacets>, context: OperationContext) {
    return tell('listFacets', request, context);
  }

  @Serves(listViews)
  async listViews(request: RequestOf<typeof listViews>, context: OperationContext) {
    if (request.facetId === 'bug') throw new Error('select * from secrets at db.internal');
    return tell('listViews', request, context);
  }

  @Serves(listElements)
  async listElements(request: RequestOf<typeof listElements>, context: OperationContext) {
    if (request.ifNoneMatch === '"1"')
      return succeed({ status: 304 as const, contentType: json, headers: { etag: '"1"' }, body: new Uint8Array(0) });
    return tell('listElements', request, context, { 'x-total-count': '7', etag: '"1"', 'x-page-selection-key': 'k' });
  }

  @Serves(readElement)
  async readElement(request: RequestOf<typeof readElement>, context: OperationContext) {
    return tell('readElement', request, context);
  }

  /** The facet's name says how many pieces there are: `20`, `broken-20`. */
  @Serves(reportFacet)
  async reportFacet(request: RequestOf<typeof reportFacet>, context: OperationContext): Promise<Result<ByteReply>> {
    const [, word, count] = /^(broken-)?(\d+)$/.exec(request.facetId) ?? [];
    if (count === undefined) return tell('reportFacet', request, context);
    return succeed({ contentType: json, body: pieces(Number(count), context, word !== undefined) });
  }

  @Serves(reportElement)
  async reportElement(request: RequestOf<typeof reportElement>, context: OperationContext) {
    return tell('reportElement', request, context);
  }
}

/** Every other operation of group A tells what it was asked, and nothing else. */
@Controller()
class FurtherContentController {}

const alone: readonly object[] = [listFacets, listViews, listElements, readElement, reportFacet, reportElement];
for (const each of operationsIn(contentRepo, 'A').filter((declared) => !alone.includes(declared))) {
  const descriptor = {
    value: async (request: object, context: OperationContext) => tell(each.name, request, context),
    configurable: true,
  };
  Object.defineProperty(FurtherContentController.prototype, each.name, descriptor);
  Serves(each)(FurtherContentController.prototype, each.name, descriptor);
}

@Module({ controllers: [TrialContentController, FurtherContentController] })
class TrialContentModule {}

export type TrialContent = { readonly stop: () => Promise<void> };

export const startTrialContent = async (url: string): Promise<TrialContent> => {
  const link = connectNats({ url, service: 'content-repo', log: silentLog });
  const strategy = new NatsOperations({ link, service: 'content-repo', log: silentLog });
  const app = await NestFactory.createMicroservice(TrialContentModule, { strategy, logger: false });
  await app.listen();
  await link.whenConnected(60_000);
  await link.connection?.flush();
  return {
    stop: async () => {
      await strategy.close();
      await link.close();
      await app.close();
    },
  };
};
