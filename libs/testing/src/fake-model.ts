/**
 * A fake language model: an HTTP server with the chat completions of OpenAI-compatible endpoints, streamed or not.
 * A script gives its answers; the requests are kept.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

type ChatMessage = {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: ChatFunctionCall }[];
  readonly tool_call_id?: string;
};
type ChatFunctionCall = { readonly name: string; readonly arguments: string };

/** The body of a request. */
export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[];
  readonly tool_choice?: string;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: unknown } };
};

type ScriptedCall = {
  readonly tool: string;
  /** An object, or a text that need not be JSON. */
  readonly arguments?: Readonly<Record<string, unknown>> | string;
  readonly id?: string;
};

/** One answer; without a text and calls it is empty. */
export type ScriptedAnswer = {
  readonly text?: string;
  /** The chunks of the streamed text; by default its words. */
  readonly pieces?: readonly string[];
  readonly calls?: readonly ScriptedCall[];
  /** By default `tool_calls` when there are calls, else `stop`. */
  readonly finish?: string;
  /** Input and output tokens; null leaves the usage out. */
  readonly usage?: readonly [number, number] | null;
  /** The status of a failure; `body` is its text. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Delay before the answer begins. */
  readonly delayMs?: number;
  /** The pieces after the first one wait for this. */
  readonly pause?: Promise<unknown>;
  /** `before` sends no answer, `within` stops after the first piece; the connection stays open. */
  readonly hang?: 'before' | 'within';
  /** Closes the connection after the first piece. */
  readonly disconnects?: boolean;
  /** A body that is no chat completion, with status 200. */
  readonly garbage?: string;
};

type ReceivedRequest = {
  readonly request: ChatRequest;
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  /** The client's port. */
  readonly port: number | undefined;
  /** Resolves when the client closes the connection before the answer is complete. */
  readonly disconnected: Promise<void>;
};
type ModelScript = (request: ChatRequest, requestCount: number) => ScriptedAnswer;

export type FakeModel = {
  /** The origin, without a path. */
  readonly address: string;
  readonly requests: readonly ReceivedRequest[];
  /** Can be replaced between requests. */
  script: ModelScript;
  readonly stop: () => Promise<void>;
};

export const startFakeModel = async (script: ModelScript = () => ({ text: 'Yes.' })): Promise<FakeModel> => {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
    incoming.once('end', () => {
      const request = parseRequest(body);
      const disconnected = new Promise<void>((resolve) => {
        response.once('close', () => {
          if (!response.writableFinished) resolve();
        });
      });
      const { headers, url = '', socket } = incoming;
      requests.push({ request, headers, url, port: socket.remotePort, disconnected });
      void sendAnswer(response, request, endpoint.script(request, requests.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const endpoint: FakeModel = {
    ...{ address: `http://127.0.0.1:${port}`, requests, script },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return endpoint;
};

const parseRequest = (body: string): ChatRequest => {
  const value: unknown = JSON.parse(body);
  if (!isChatRequest(value)) throw new Error('The request has no messages.');
  return value;
};

const isChatRequest = (value: unknown): value is ChatRequest =>
  typeof value === 'object' && value !== null && 'messages' in value && Array.isArray(value.messages);

const sendAnswer = async (response: ServerResponse, request: ChatRequest, scripted: ScriptedAnswer): Promise<void> => {
  const { delayMs = 0, status, garbage, hang } = scripted;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (hang === 'before') return;
  const isFailure = status !== undefined && status !== 200;
  const type = request.stream && !isFailure ? 'text/event-stream' : 'application/json';
  response.writeHead(status ?? 200, { 'content-type': type, ...scripted.headers });
  if (isFailure) response.end(scripted.body ?? JSON.stringify({ error: { message: 'It does not work.' } }));
  else if (garbage !== undefined) response.end(garbage);
  else if (request.stream) await sendStream(response, request, scripted);
  else sendJson(response, request, scripted);
};

const callsOf = ({ calls = [] }: ScriptedAnswer, messageCount: number) =>
  calls.map(({ tool, arguments: value = {}, id }, index) => ({
    index,
    id: id ?? `call_${messageCount}_${index}`,
    type: 'function',
    function: { name: tool, arguments: typeof value === 'string' ? value : JSON.stringify(value) },
  }));

const finishOf = ({ finish, calls = [] }: ScriptedAnswer): string =>
  finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');

const usageOf = ({ usage = [100, 10] }: ScriptedAnswer) =>
  usage === null
    ? {}
    : { usage: { prompt_tokens: usage[0], completion_tokens: usage[1], total_tokens: usage[0] + usage[1] } };

const textOf = ({ text, pieces }: ScriptedAnswer): string => text ?? pieces?.join('') ?? '';

const sendJson = (response: ServerResponse, { model, messages }: ChatRequest, scripted: ScriptedAnswer): void => {
  const calls = callsOf(scripted, messages.length);
  const content = textOf(scripted);
  const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
  const choices = [{ index: 0, message, finish_reason: finishOf(scripted) }];
  const whole = JSON.stringify({
    id: 'chat',
    object: 'chat.completion',
    created: 1,
    model,
    choices,
    ...usageOf(scripted),
  });
  if (scripted.hang === undefined && !scripted.disconnects) return void response.end(whole);
  response.write(whole.slice(0, whole.length / 2), () => scripted.disconnects && response.destroy());
};

const sendStream = async (
  response: ServerResponse,
  { model, messages }: ChatRequest,
  scripted: ScriptedAnswer,
): Promise<void> => {
  const sendChunk = (value: object): Promise<void> => {
    const chunk = { id: 'chat', object: 'chat.completion.chunk', created: 1, model, ...value };
    return new Promise((resolve) => response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => resolve()));
  };
  const sendDelta = (delta: object, finish: string | null = null): Promise<void> =>
    sendChunk({ choices: [{ index: 0, delta, finish_reason: finish }] });
  const [first = '', ...others] = scripted.pieces ?? textOf(scripted).match(/\S+\s*|\s+/g) ?? [];
  await sendDelta({ role: 'assistant', content: first });
  if (scripted.hang === 'within') return;
  if (scripted.disconnects) return void response.destroy();
  await scripted.pause;
  for (const content of others) await sendDelta({ content });
  for (const { function: called, ...call } of callsOf(scripted, messages.length)) {
    // Real endpoints send the name first and the arguments in parts.
    const middle = Math.ceil(called.arguments.length / 2);
    await sendDelta({ tool_calls: [{ ...call, function: { name: called.name, arguments: '' } }] });
    for (const part of [called.arguments.slice(0, middle), called.arguments.slice(middle)])
      await sendDelta({ tool_calls: [{ index: call.index, function: { arguments: part } }] });
  }
  await sendDelta({}, finishOf(scripted));
  if (scripted.usage !== null) await sendChunk({ choices: [], ...usageOf(scripted) });
  response.end('data: [DONE]\n\n');
};
