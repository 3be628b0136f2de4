/**
 * The result of a call as a result of `tools/call`: as an object and as its JSON. A failure is a result too; its text says
 * what a language model needs to correct its call. Content that the protocol does not know is a bug of the tool.
 */
import { type CallToolResult, isCallToolResult } from '@modelcontextprotocol/server';
import { evidenceMetaKey } from '@tessera/contracts';
import { fail, type Failure, type Fault, type Result } from '@tessera/failures';
import { hasStructuredContent } from './protocol.js';
import { type ContentBlock, isObject, type JsonObject, type ToolResult } from '../tools/tool.js';

export const toCallToolResult = (result: Result<ToolResult>, revision: string): CallToolResult => {
  const { content, structured, isError } = presentResult(result, revision);
  const shown = {
    content,
    ...(structured && { structuredContent: structured }),
    ...(isError && { isError }),
    ...evidenceMeta(result),
  };
  if (isCallToolResult(shown)) return shown;
  throw new Error('The tool answered content that the protocol does not know.');
};

const evidenceMeta = (result: Result<ToolResult>): { readonly _meta?: JsonObject } =>
  result.ok && result.value.evidence !== undefined ? { _meta: { [evidenceMetaKey]: result.value.evidence } } : {};

/** The members of that object as JSON in parts, without its braces and without `_meta`. */
export const toCallToolResultParts = (
  result: Result<ToolResult>,
  revision: string,
): readonly (string | Uint8Array)[] => {
  if (result.ok && result.value.bytes && !result.value.content) return renderedParts(result.value.bytes, revision);
  const { content, structured, isError } = presentResult(result, revision);
  // Text of ours is right by itself; what a tool made is looked at.
  if (result.ok && result.value.content !== undefined) toCallToolResult(result, revision);
  const structure = structured ? `,"structuredContent":${JSON.stringify(structured)}` : '';
  return [`"content":${JSON.stringify(content)}${structure}${isError ? ',"isError":true' : ''}`];
};

const openBrace = 0x7b;

/** Without reading it: bytes of UTF-8 as characters of their own are quoted as their text would be. */
const renderedParts = (bytes: Uint8Array, revision: string): readonly (string | Uint8Array)[] => {
  const { buffer, byteOffset, byteLength } = bytes;
  const quoted = JSON.stringify(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'));
  const text = ['"content":[{"type":"text","text":', Buffer.from(quoted, 'latin1'), '}]'];
  return hasStructuredContent(revision) && bytes[0] === openBrace ? [...text, ',"structuredContent":', bytes] : text;
};

/** A bug of ours; its words are in the log. */
export const brokenCallFailure = fail(
  'ADMIN_FATAL_ERROR',
  'The call failed by a fault of the server; it has been logged.',
);

type PresentedResult = {
  readonly content: readonly ContentBlock[];
  readonly structured?: JsonObject;
  readonly isError?: true;
};

const presentResult = (result: Result<ToolResult>, revision: string): PresentedResult => {
  if (!result.ok) return { content: [textBlock(failureText(result.failure))], isError: true };
  const { bytes, content } = result.value;
  const json = bytes && Buffer.from(bytes).toString();
  const { value = readJson(json) } = result.value;
  if (value === undefined) return { content: content ?? [] };
  if (typeof value === 'string' && json === undefined) return { content: content ?? [textBlock(value)] };
  return {
    content: content ?? [textBlock(json ?? JSON.stringify(value))],
    ...(hasStructuredContent(revision) && isObject(value) && { structured: value }),
  };
};

const readJson = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json));

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
