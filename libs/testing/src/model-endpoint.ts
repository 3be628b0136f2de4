/**
 * A language model for specs: a server on a free port that speaks the chat completions of OpenAI-compatible endpoints,
 * streaming and not, answers what a script says and keeps what it was asked.
 * Refuses: to think; a script decides by the messages alone.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

type ChatMessage = {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: ChatFunction }[];
  readonly tool_call_id?: string;
};
type ChatFunction = { readonly name: string; readonly arguments: string };

/** What the endpoint was asked, as it came over the wire. */
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
  /** An object, or the text itself when it is to be no JSON. */
  readonly arguments?: Readonly<Record<string, unknown>> | string;
  readonly id?: string;
};

/** One answer; without a text and calls it is empty. */
export type ScriptedAnswer = {
  readonly text?: string;
  /** The text as it is streamed; its words when absent. */
  readonly pieces?: readonly string[];
  readonly calls?: readonly ScriptedCall[];
  /** `stop`, or `tool_calls` when there are some. */
  readonly finish?: string;
  /** Input and output tokens; null when the endpoint counts none. */
  readonly usage?: readonly [number, number] | null;
  /** An answer that fails, with its body. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Before the answer begins. */
  readonly delayMs?: number;
  /** Between the first piece and the others: until the promise is settled. */
  readonly pause?: Promise<unknown>;
  /** `before` answers nothing at all, `within` stops after the first piece; the connection stays open. */
  readonly hang?: 'before' | 'within';
  /** Ends the connection after the first piece. */
  readonly breaksOff?: boolean;
  /** Something else than an answer, with status 200. */
  readonly garbage?: string;
};

type AskedModel = {
  readonly request: ChatRequest;
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  /** Of the connection that it came by. */
  readonly port: number | undefined;
  /** Settled when the connection of the request was closed by the caller before the answer was complete. */
  readonly left: Promise<void>;
};
type ModelScript = (request: ChatRequest, asked: number) => ScriptedAnswer;

export type ModelEndpoint = {
  /** Its origin, without the path. */
  readonly address: string;
  readonly asked: readonly AskedModel[];
  /** What the next requests are answered by. */
  script: ModelScript;
  readonly stop: () => Promise<void>;
};

export const startModelEndpoint = async (script: ModelScript = () => ({ text: 'Yes.' })): Promise<ModelEndpoint> => {
  const asked: AskedModel[] = [];
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
    incoming.once('end', () => {
      const request = requestOf(body);
      const left = new Promise<void>((resolve) => {
        response.once('close', () => {
          if (!response.writableFinished) resolve();
        });
      });
      const { headers, url = '', socket } = incoming;
      asked.push({ request, headers, url, port: socket.remotePort, left });
      void answer(response, request, endpoint.script(request, asked.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const endpoint: ModelEndpoint = {
    ...{ address: `http://127.0.0.1:${port}`, asked, script },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return endpoint;
};

const requestOf = (body: string): ChatRequest => {
  const value: unknown = JSON.parse(body);
  if (!isChatRequest(value)) throw new Error('The endpoint was asked without messages.');
  return value;
};

const isChatRequest = (value: unknown): value is ChatRequest =>
  typeof value === 'object' && value !== null && 'messages' in value && Array.isArray(value.messages);

const answer = async (response: ServerResponse, request: ChatRequest, scripted: ScriptedAnswer): Promise<void> => {
  const { delayMs = 0, status, garbage, hang } = scripted;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (hang === 'before') return;
  const isFailure = status !== undefined && status !== 200;
  const type = request.stream && !isFailure ? 'text/event-stream' : 'application/json';
  response.writeHead(status ?? 200, { 'content-type': type, ...scripted.headers });
  if (isFailure) response.end(scripted.body ?? JSON.stringify({ error: { message: 'It does not work.' } }));
  else if (garbage !== undefined) response.end(garbage);
  else if (request.stream) await stream(response, request, scripted);
  else tellWhole(response, request, scripted);
};

const callsOf = ({ calls = [] }: ScriptedAnswer, asked: number) =>
  calls.map(({ tool, arguments: given = {}, id }, index) => ({
    index,
    id: id ?? `call_${asked}_${index}`,
    type: 'function',
    function: { name: tool, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }));

const finishOf = ({ finish, calls = [] }: ScriptedAnswer): string =>
  finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');

const usageOf = ({ usage = [100, 10] }: ScriptedAnswer) =>
  usage === null
    ? {}
    : { usage: { prompt_tokens: usage[0], completion_tokens: usage[1], total_tokens: usage[0] + usage[1] } };

const textOf = ({ text, pieces }: ScriptedAnswer): string => text ?? pieces?.join('') ?? '';

const tellWhole = (response: ServerResponse, { model, messages }: ChatRequest, scripted: ScriptedAnswer): void => {
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
  if (scripted.hang === undefined && !scripted.breaksOff) return void response.end(whole);
  response.write(whole.slice(0, whole.length / 2), () => scripted.breaksOff && response.destroy());
};

const stream = async (
  response: ServerResponse,
  { model, messages }: ChatRequest,
  scripted: ScriptedAnswer,
): Promise<void> => {
  const tell = (value: object): Promise<void> => {
    const chunk = { id: 'chat', object: 'chat.completion.chunk', created: 1, model, ...value };
    return new Promise((resolve) => response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => resolve()));
  };
  const tellDelta = (delta: object, finish: string | null = null): Promise<void> =>
    tell({ choices: [{ index: 0, delta, finish_reason: finish }] });
  const [first = '', ...others] = scripted.pieces ?? textOf(scripted).match(/\S+\s*|\s+/g) ?? [];
  await tellDelta({ role: 'assistant', content: first });
  if (scripted.hang === 'within') return;
  if (scripted.breaksOff) return void response.destroy();
  await scripted.pause;
  for (const content of others) await tellDelta({ content });
  for (const { function: called, ...call } of callsOf(scripted, messages.length)) {
    // As endpoints do: the name first, the arguments in parts.
    const middle = Math.ceil(called.arguments.length / 2);
    await tellDelta({ tool_calls: [{ ...call, function: { name: called.name, arguments: '' } }] });
    for (const part of [called.arguments.slice(0, middle), called.arguments.slice(middle)])
      await tellDelta({ tool_calls: [{ index: call.index, function: { arguments: part } }] });
  }
  await tellDelta({}, finishOf(scripted));
  if (scripted.usage !== null) await tell({ choices: [], ...usageOf(scripted) });
  response.end('data: [DONE]\n\n');
};
