import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { converse } from '@tessera/contracts/agents';
import { nonEmptyLines, runTessera, testKey, type RunOptions } from '../testing/run-tessera.js';
import { fakeConversationId, formatServerEvent } from '../testing/fake-agents.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';

let gateway: FakeGateway;
beforeEach(async () => void (gateway = await startFakeGateway(testKey)));
afterEach(() => gateway.stop());

const ask = (more: readonly string[] = [], options: RunOptions = {}) =>
  runTessera(['ask', 'p2p-analyst', 'What is the maverick rate?', ...more], { gatewayUrl: gateway.url, ...options });

const toGoOn = `to go on: --conversation ${fakeConversationId}`;
const turn = formatServerEvent('turn', { conversationId: fakeConversationId, turn: 1 });
const saying = (...events: readonly string[]) => gateway.script(converse, [{ text: events.join('') }]);

describe('ask', () => {
  it('posts the question, prints the answer and then the conversation id', async () => {
    const { exitCode, out, err } = await ask();
    expect(nonEmptyLines(out)).toEqual(['I look it up.', 'The maverick rate is 4.20 %.']);
    expect([exitCode, nonEmptyLines(err)]).toEqual([0, [toGoOn]]);
    const message = { message: 'What is the maverick rate?' };
    expect(gateway.requests).toEqual([{ agent_id: 'p2p-analyst', draft: false, accept: 'text/event-stream', message }]);
    expect(gateway.idempotencyKeys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('continues a conversation with --conversation, and asks the draft with --draft', async () => {
    await ask(['--conversation', fakeConversationId, '--draft']);
    expect(gateway.requests).toMatchObject([{ draft: true, message: { conversationId: fakeConversationId } }]);
  });

  it('prints tool calls with --verbose', async () => {
    const { out, err } = await ask(['--verbose']);
    expect(nonEmptyLines(out)).toEqual(['I look it up.', 'The maverick rate is 4.20 %.']);
    expect(nonEmptyLines(err)).toEqual([
      'calls load-data {"columns":["MAVERICK_RATE"]}',
      'load-data answered in 12 ms',
      toGoOn,
    ]);
  });

  it('prints a failed tool call and shortens long arguments', async () => {
    const call = { callId: 'a', tool: 'load-data', arguments: { text: 'x'.repeat(1_000) } };
    const result = { callId: 'a', tool: 'load-data', isError: true, durationMs: 3 };
    const response = formatServerEvent('response', { conversationId: fakeConversationId, text: 'I could not.' });
    saying(turn, formatServerEvent('toolCall', call), formatServerEvent('toolResult', result), response);
    const { out, err } = await ask(['--verbose']);
    const [called = '', failed] = nonEmptyLines(err);
    expect([called.length, failed, out]).toEqual([319, 'load-data failed in 3 ms', 'I could not.\n']);
  });

  it('prints only the answer with --json', async () => {
    const { out, err } = await ask(['--json']);
    expect(JSON.parse(out)).toEqual({
      ...{ conversationId: fakeConversationId, text: 'The maverick rate is 4.20 %.' },
      structuredOutput: { rate: 0.042 },
    });
    expect(nonEmptyLines(err)).toEqual([toGoOn]);
  });

  it('prints each piece of the answer when it arrives', async () => {
    const heard = Promise.withResolvers<void>();
    const pieces = async function* (): AsyncGenerator<string> {
      yield turn + formatServerEvent('text', { text: 'First' });
      await heard.promise;
      yield (
        formatServerEvent('text', { text: ', second.' }) +
          formatServerEvent('response', { conversationId: fakeConversationId, text: 'First, second.' })
      );
    };
    gateway.script(converse, [{ pieces: pieces() }]);
    const { out } = await ask([], { heard: (text) => (text === 'First' ? heard.resolve() : undefined) });
    expect(out).toBe('First, second.\n');
  });

  it.each([
    ['that did not come in pieces', [], 'Whole.\n'],
    ['that began in pieces', ['Who'], 'Whole.\n'],
    ['that is another one than came in pieces', ['Half a'], 'Half a\nWhole.\n'],
  ])('prints an answer %s once', async (_, pieces, expected) => {
    const texts = pieces.map((text) => formatServerEvent('text', { text }));
    saying(turn, ...texts, formatServerEvent('response', { conversationId: fakeConversationId, text: 'Whole.' }));
    expect((await ask()).out).toBe(expected);
  });

  it('reports a failed turn and that the question was stored', async () => {
    const problem = { title: 'Model unavailable', status: 503, detail: 'It is busy.', next: 'Try again.' };
    saying(turn, formatServerEvent('text', { text: 'I lo' }), formatServerEvent('error', problem));
    const { exitCode, out, err } = await ask();
    expect([exitCode, out]).toEqual([3, 'I lo\n']);
    expect(nonEmptyLines(err)).toEqual([
      ...['Model unavailable: It is busy.', 'Try again.'],
      `The question is kept; go on with it by --conversation ${fakeConversationId}`,
    ]);
  });

  it('reports an aborted answer and an unreadable one', async () => {
    saying(turn, formatServerEvent('text', { text: 'I lo' }));
    expect(await ask()).toMatchObject({ exitCode: 3, err: expect.stringContaining('The question is kept') });
    saying('event: text\ndata: {"txt": "x"}\n\n', 'event: news\ndata: {}\n\n', 'event: text\ndata: {\n\n');
    expect(await ask()).toMatchObject({ exitCode: 3, out: '', err: expect.stringContaining('broke off') });
  });

  it('stops when it is interrupted', async () => {
    const stopping = new AbortController();
    const pieces = async function* (): AsyncGenerator<string> {
      yield turn + formatServerEvent('text', { text: 'I lo' });
      await new Promise(() => undefined);
    };
    gateway.script(converse, [{ pieces: pieces() }]);
    const ran = await ask([], { stopping: stopping.signal, heard: () => stopping.abort() });
    expect(ran).toMatchObject({ exitCode: 130, out: 'I lo\n', err: expect.stringContaining('Interrupted.') });
  });

  it("reports the gateway's error and which key was used", async () => {
    gateway.script(converse, [{ status: 404, title: 'Agent not found', detail: 'There is no such agent.' }]);
    const { exitCode, err } = await ask();
    expect([exitCode, nonEmptyLines(err)]).toEqual([
      3,
      [
        ...['Agent not found: There is no such agent.', 'Request id: request-1'],
        'API_KEY is not set, so ADMIN_KEY asked; set API_KEY to a key of the team that has the agent.',
      ],
    ]);
    expect((await ask([], { apiKey: testKey })).err).not.toContain('ADMIN_KEY');
  });
});
