/**
 * A content repository of the specs: on real NATS, it tells what it was asked and misbehaves where a name says so.
 * `meridian` is the only team that has anything.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import * as contentRepo from '@tessera/contracts/content-repo';
import {
  listElements,
  listFacets,
  listViews,
  readElement,
  reportElement,
  reportFacet,
  writeElements,
} from '@tessera/contracts/content-repo';
import { succeed, type Result } from '@tessera/failures';
import { jsonContentType, Serves, type OperationContext } from '@tessera/messaging';
import { findOperations } from '@tessera/testing';
import {
  echoHandlerCounts,
  startTestService,
  createEchoReply,
  createEchoController,
  streamReplyPieces,
  type TestService,
} from './echo-service.js';

@Controller()
class StubContentController {
  @Serves(listFacets)
  async listFacets(request: RequestOf<typeof listFacets>, context: OperationContext) {
    return createEchoReply('listFacets', request, context);
  }

  @Serves(listViews)
  async listViews(request: RequestOf<typeof listViews>, context: OperationContext) {
    if (request.facetId === 'bug') throw new Error('select * from secrets at db.internal');
    return createEchoReply('listViews', request, context);
  }

  @Serves(listElements)
  async listElements(request: RequestOf<typeof listElements>, context: OperationContext) {
    if (request.ifNoneMatch === '"1"')
      return succeed({
        status: 304 as const,
        contentType: jsonContentType,
        headers: { etag: '"1"' },
        body: new Uint8Array(0),
      });
    return createEchoReply('listElements', request, context, {
      'x-total-count': '7',
      etag: '"1"',
      'x-page-selection-key': 'k',
    });
  }

  @Serves(readElement)
  async readElement(request: RequestOf<typeof readElement>, context: OperationContext) {
    return createEchoReply('readElement', request, context);
  }

  /** The facet's name says how many pieces there are, `20`, `broken-20`, or how many milliseconds to wait: `slow-20`. */
  @Serves(reportFacet)
  async reportFacet(request: RequestOf<typeof reportFacet>, context: OperationContext): Promise<Result<ByteReply>> {
    const [, word, count] = /^(broken-|slow-)?(\d+)$/.exec(request.facetId) ?? [];
    if (word === 'slow-') await sleep(Number(count));
    if (count === undefined || word === 'slow-') return createEchoReply('reportFacet', request, context);
    return succeed({
      contentType: jsonContentType,
      body: streamReplyPieces(Number(count), context, word !== undefined),
    });
  }

  @Serves(reportElement)
  async reportElement(request: RequestOf<typeof reportElement>, context: OperationContext) {
    return createEchoReply('reportElement', request, context);
  }

  /** Takes its time, and notes how many were under way at once. */
  @Serves(writeElements)
  async writeElements(request: RequestOf<typeof writeElements>, context: OperationContext) {
    echoHandlerCounts.writing++;
    echoHandlerCounts.writingMost = Math.max(echoHandlerCounts.writingMost, echoHandlerCounts.writing);
    await sleep(150);
    echoHandlerCounts.writing--;
    return createEchoReply('writeElements', request, context);
  }
}

const stubbedOperations: readonly object[] = [
  listFacets,
  listViews,
  listElements,
  readElement,
  reportFacet,
  reportElement,
  writeElements,
];

/** Every other operation of group A tells what it was asked, and nothing else. */
const stubContentControllers = [
  StubContentController,
  createEchoController(findOperations(contentRepo, 'A').filter((declared) => !stubbedOperations.includes(declared))),
];

export const startStubContentRepo = (url: string): Promise<TestService> =>
  startTestService(url, 'content-repo', stubContentControllers);
