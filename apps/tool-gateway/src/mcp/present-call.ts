/**
 * The result of a call as a result of `tools/call`: as an object and as its JSON text. A failure is a result too; its text says
 * what a language model needs to correct its call. Content that the protocol does not know is a bug of the tool.
 */
import { type CallToolResult, isCallToolResult } from '@modelcontextprotocol/server';
import { fail, type Failure, type Fault, type Result } from '@tessera/failures';
import { hasStructure } from './protocol.js';
import { type ContentBlock, isObject, type JsonObject, type ToolResult } from '../tools/tool.js';

export const callResult = (result: Result<ToolResult>, revision: string): CallToolResult => {
  const { content, structured, isError } = present(result, revision);
  const shown = {
    content,
    ...(structured && { structuredContent: structured.value }),
    ...(isError && { isError }),
  };
  if (isCallToolResult(shown)) return shown;
  throw new Error('The tool answered content that the protocol does not know.');
};

/** The members of that object as JSON text, without its braces. */
export const callResultText = (result: Result<ToolResult>, revision: string): string => {
  const { content, structured, isError } = present(result, revision);
  // Text of ours is right by itself; what a tool made is looked at.
  if (result.ok && result.value.content !== undefined) callResult(result, revision);
  const structure = structured ? `,"structuredContent":${structured.json}` : '';
  return `"content":${JSON.stringify(content)}${structure}${isError ? ',"isError":true' : ''}`;
};

/** A bug of ours; its words are in the log. */
export const brokenCall = fail('ADMIN_FATAL_ERROR', 'The call failed by a fault of the server; it has been logged.');

type PresentedResult = {
  readonly content: readonly ContentBlock[];
  readonly structured?: { readonly value: JsonObject; readonly json: string };
  readonly isError?: true;
};

const present = (result: Result<ToolResult>, revision: string): PresentedResult => {
  if (!result.ok) return { content: [textBlock(failureText(result.failure))], isError: true };
  const { value, content } = result.value;
  if (value === undefined) return { content: content ?? [] };
  if (typeof value === 'string') return { content: content ?? [textBlock(value)] };
  const json = result.value.json ?? JSON.stringify(value);
  return {
    content: content ?? [textBlock(json)],
    ...(hasStructure(revision) && isObject(value) && { structured: { value, json } }),
  };
};

const textBlock = (text: string): ContentBlock => ({ type: 'text', text });

const failureText = ({ code, detail, faults = [], retryAfterSeconds }: Failure): string =>
  [
    `${code}: ${detail}`,
    ...faults.map(faultText),
    ...(retryAfterSeconds === undefined ? [] : [`Retry after ${retryAfterSeconds} seconds.`]),
  ].join('\n');

const faultText = ({ path, message, suggestion }: Fault): string => {
  const hint = suggestion === undefined || message.includes(`"${suggestion}"`) ? '' : `; did you mean "${suggestion}"?`;
  return `- ${path === '' ? 'arguments' : path}: ${message}${hint}`;
};
