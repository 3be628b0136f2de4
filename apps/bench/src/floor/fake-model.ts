/**
 * A fake language model, OpenAI-compatible and nearly free. The user's message is a JSON script: `{"calls": [[...],
 * [...]], "waitMs": 2000}`, a list of arguments of load-data for each step before the answer. A streamed answer
 * contains the time it was sent, in epoch milliseconds.
 */
import { createServer, type ServerResponse } from 'node:http';
import { parseJson } from '../answers.js';
import { serveAsChild } from '../child.js';

type Message = { readonly role: string; readonly content?: unknown };
type ChatRequest = { readonly messages: readonly Message[]; readonly stream?: boolean };
type Script = { readonly calls?: readonly (readonly object[])[]; readonly waitMs?: number };

const head = { id: 'chatcmpl-1', created: 1, model: 'script' };
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part: { readonly text?: string }) => part.text ?? '').join('')
    : typeof content === 'string'
      ? content
      : '';

/** The part of the conversation that belongs to the message that is being answered. */
const parseScript = (messages: readonly Message[]) => {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const script = parseJson<Script>(textOf(messages[last]?.content));
  const step = messages.slice(last).filter(({ role }) => role === 'assistant').length;
  return { step, waitMs: script.waitMs ?? 0, calls: script.calls?.[step] };
};

const toolCalls = (step: number, calls: readonly object[]) =>
  calls.map((args, index) => ({
    index,
    id: `call-${step}-${index}`,
    type: 'function',
    function: { name: 'load-data', arguments: JSON.stringify(args) },
  }));

const answer = (response: ServerResponse, step: number, calls: readonly object[] | undefined): void => {
  const message = calls
    ? { role: 'assistant', content: null, tool_calls: toolCalls(step, calls) }
    : { role: 'assistant', content: 'Done.' };
  const choice = { index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ...head, object: 'chat.completion', choices: [choice], usage }));
};

const stream = (response: ServerResponse, step: number, calls: readonly object[] | undefined): void => {
  const send = (delta: object, finish: string | null = null, more: object = {}): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`);
  };
  response.setHeader('content-type', 'text/event-stream');
  if (calls) send({ role: 'assistant', tool_calls: toolCalls(step, calls) });
  else send({ role: 'assistant', content: String(performance.timeOrigin + performance.now()) });
  send({}, calls ? 'tool_calls' : 'stop', { usage });
  response.end('data: [DONE]\n\n');
};

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const request = parseJson<ChatRequest>(Buffer.concat(pieces).toString());
    const { step, waitMs, calls } = parseScript(request.messages);
    const say = () => (request.stream ? stream : answer)(response, step, calls);
    if (waitMs > 0) setTimeout(say, waitMs);
    else say();
  });
});
serveAsChild(
  () =>
    new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
      });
    }),
);
