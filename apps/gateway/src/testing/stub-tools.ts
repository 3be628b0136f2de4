/**
 * A tool gateway of the specs: on real NATS, it tells what it was asked, and speaks as a tool or a message says.
 */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import * as toolGateway from '@tessera/contracts/tool-gateway';
import { callTool, exchangeMcp, listAssets, listOwnCalls, listTools } from '@tessera/contracts/tool-gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import { createJsonReply, Serves, type OperationContext } from '@tessera/messaging';
import { findOperations } from '@tessera/testing';
import { startTestService, createEchoReply, createEchoController, type TestService } from './echo-service.js';

/** What an event waits for that a spec has to see the one before of. */
export const stubEventState = { next: Promise.resolve() };

const eventStream = async function* () {
  yield Buffer.from('data: 1\n\n');
  await stubEventState.next;
  yield Buffer.from('data: 2\n\n');
};

const emptyBytes = new Uint8Array(0);

@Controller()
class StubToolsController {
  @Serves(callTool)
  async callTool(request: RequestOf<typeof callTool>, context: OperationContext): Promise<Result<ByteReply>> {
    switch (request.tool_id) {
      case 'text':
        return createJsonReply('as text');
      case 'strict':
        return fail('TOOL_ARGUMENTS_INVALID', 'The arguments do not fit.', {
          faults: [
            { in: 'body', path: 'columns.1', message: 'is not known', rule: 'enum', suggestion: 'AMOUNT' },
            { in: 'body', path: '', message: 'pageSize is missing', rule: 'required' },
          ],
        });
      case 'failing':
        return fail('TOOL_FAILED', 'The other side answered 500.');
      case 'busy':
        return fail('LIMIT_ASSET_EXCEEDED', 'The asset takes 500 calls a minute.', { retryAfterSeconds: 7 });
      case 'unknown':
        return fail('TOOL_NOTFOUND', 'There is no tool "unknown"; did you mean "strict"?');
      default:
        return createEchoReply('callTool', request, context, {}, 'TOOL_ASSET_NOTFOUND');
    }
  }

  /** The message `[404]` is answered with that status, `[202]` without a body and `events` by a stream. */
  @Serves(exchangeMcp)
  async exchangeMcp(request: RequestOf<typeof exchangeMcp>, context: OperationContext): Promise<Result<ByteReply>> {
    const headers = { 'mcp-session-id': 'none' };
    if (request.message === 'events')
      return succeed({ contentType: 'text/event-stream', headers, body: eventStream() });
    const [, digits] = /^\[(\d{3})\]$/.exec(request.message) ?? [];
    if (digits === undefined) return createEchoReply('exchangeMcp', request, context, {}, 'TOOL_ASSET_NOTFOUND');
    const status = Number(digits);
    if (status === 202 || status === 204) return succeed({ status, contentType: '', body: emptyBytes });
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'x'.repeat(2000) } }));
    return succeed({ status, contentType: 'application/json', headers, body });
  }
}

export const startStubTools = (url: string): Promise<TestService> =>
  startTestService(url, 'tool-gateway', [
    StubToolsController,
    createEchoController([listAssets, listTools, listOwnCalls]),
    createEchoController(findOperations(toolGateway, 'admin'), 'GENERAL_NOTFOUND'),
  ]);
