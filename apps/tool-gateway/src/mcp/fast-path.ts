/**
 * Answers well-formed `tools/list` and `tools/call` of known revisions without the SDK, with the same bytes: a list is what the
 * SDK answered once, a call is put together as text. Everything else is left to the SDK. A test holds both paths equal.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server';
import { type ByteReply, evidenceMetaKey, freshForHeader } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import type { AssetVersion } from '../assets/assets.js';
import { logAndFailCall, describeMcpServer } from './open-server.js';
import { toCallToolResultParts } from './present-call.js';
import {
  type McpExchange,
  hasStructuredContent,
  isLegacyRevision,
  createJsonRpcReply,
  getRequiredCapabilities,
  resolveRevision,
  statelessRevision,
} from './protocol.js';
import { handleWithSdk } from './sdk-path.js';
import type { AssetView } from '../tools/asset-tools.js';
import { isObject, type JsonObject, type Tool, type ToolResult } from '../tools/tool.js';

/** Undefined when the message is none that this path knows. */
export const handleWithoutSdk = (exchange: McpExchange, message: unknown): Promise<ByteReply> | undefined => {
  if (exchange.shape === 'events' || !isObject(message) || !hasOnly(message, messageKeys)) return undefined;
  const { jsonrpc, id, method, params = {} } = message;
  if (jsonrpc !== '2.0' || !(typeof id === 'string' || Number.isSafeInteger(id)) || !isObject(params)) return undefined;
  const revision = revisionOfRequest(exchange, method, params);
  if (revision === undefined) return undefined;
  const idText = JSON.stringify(id);
  if (method === 'tools/list')
    return hasOnly(params, listParamNames) ? handleList(exchange, revision, idText) : undefined;
  if (method !== 'tools/call' || !hasOnly(params, callKeys)) return undefined;
  const { name, arguments: given = {} } = params;
  const tool = typeof name === 'string' ? exchange.view.find(name) : undefined;
  if (!tool || getRequiredCapabilities(tool) || !isObject(given) || Object.hasOwn(given, ignoredMember))
    return undefined;
  return handleCall(exchange, { tool, arguments: given, revision, idText });
};

/** The SDK leaves a member out that is called so. */
const ignoredMember = '__proto__';

type Keys = ReadonlySet<string>;
const messageKeys: Keys = new Set(['jsonrpc', 'id', 'method', 'params']);
const listParamNames: Keys = new Set(['_meta']);
const callKeys: Keys = new Set(['name', 'arguments', '_meta']);
const metaKeys: Keys = new Set([PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY]);
const clientKeys: Keys = new Set(['name', 'title', 'version']);

const hasOnly = (members: JsonObject, keys: Keys): boolean => {
  for (const key in members) if (!keys.has(key)) return false;
  return true;
};

const revisionOfRequest = ({ headers }: McpExchange, method: unknown, params: JsonObject): string | undefined => {
  const { _meta: meta } = params;
  if (meta === undefined) {
    const revision = resolveRevision(headers.protocolVersion);
    return isLegacyRevision(revision) ? revision : undefined;
  }
  const isClaim =
    headers.protocolVersion === statelessRevision &&
    headers.methodHeader === method &&
    (method !== 'tools/call' || headers.nameHeader === params['name']) &&
    isObject(meta) &&
    hasPlainMeta(meta);
  return isClaim ? statelessRevision : undefined;
};

/** The client in few words; capabilities with details are left to the SDK. */
const hasPlainMeta = (meta: JsonObject): boolean => {
  const { [CLIENT_INFO_META_KEY]: client, [CLIENT_CAPABILITIES_META_KEY]: capabilities } = meta;
  return (
    hasOnly(meta, metaKeys) &&
    meta[PROTOCOL_VERSION_META_KEY] === statelessRevision &&
    (client === undefined || hasOnlyTextMembers(client)) &&
    isObject(capabilities) &&
    Object.values(capabilities).every((each) => isObject(each) && hasOnly(each, noKeys))
  );
};

const noKeys: Keys = new Set();

const hasOnlyTextMembers = (client: unknown): boolean =>
  isObject(client) &&
  hasOnly(client, clientKeys) &&
  typeof client['name'] === 'string' &&
  typeof client['version'] === 'string' &&
  Object.values(client).every((each) => typeof each === 'string');

type ListKind = 'plain' | 'structured' | 'stateless';
/** The answer of the SDK up to the id, and whole replies for the first ids: clients count from 0 or 1. */
type List = { readonly head: string; readonly replies: Map<string, ByteReply> };
type Lists = { readonly [kind in ListKind]?: Promise<List> };
const listsByView = new WeakMap<AssetView, Lists>();
const repliesMax = 4;
/** Larger replies are made anew each time. */
const keptBytesMax = 64 * 1024;

const handleList = async (exchange: McpExchange, revision: string, idText: string): Promise<ByteReply> => {
  const reply = await replyOf(exchange, revision, idText);
  const freshForMs = exchange.freshForMs();
  return freshForMs < 1 ? reply : { ...reply, headers: { [freshForHeader]: String(Math.floor(freshForMs)) } };
};

const replyOf = async (exchange: McpExchange, revision: string, idText: string): Promise<ByteReply> => {
  const { head, replies } = await listOf(exchange, revision);
  const known = replies.get(idText);
  if (known) return known;
  const reply = createJsonRpcReply(`${head}${idText}}`);
  if (replies.size < repliesMax && head.length < keptBytesMax) replies.set(idText, reply);
  return reply;
};

const listOf = (exchange: McpExchange, revision: string): Promise<List> => {
  const { view } = exchange;
  const kind = revision === statelessRevision ? 'stateless' : hasStructuredContent(revision) ? 'structured' : 'plain';
  const lists = listsByView.get(view);
  const known = lists?.[kind];
  if (known) return known;
  const list = prepareList(exchange, revision);
  listsByView.set(view, { ...lists, [kind]: list });
  // What failed once may succeed the next time.
  list.catch(() => listsByView.delete(view));
  return list;
};

const prepareList = async (exchange: McpExchange, revision: string): Promise<List> => {
  const meta = { [PROTOCOL_VERSION_META_KEY]: revision, [CLIENT_CAPABILITIES_META_KEY]: {} };
  const isStateless = revision === statelessRevision;
  const message = { jsonrpc: '2.0', id: 0, method: 'tools/list', ...(isStateless && { params: { _meta: meta } }) };
  // It is made for all callers, so that it must not end with the one who came first.
  const signal = () => new AbortController().signal;
  const { body } = await handleWithSdk({ ...exchange, shape: 'json', signal }, message);
  if (!(body instanceof Uint8Array)) throw new Error('A list was answered as a stream.');
  const answer: unknown = JSON.parse(Buffer.from(body).toString());
  if (!isObject(answer) || answer['result'] === undefined) throw new Error('A list was answered by an error.');
  return { head: `{"result":${JSON.stringify(answer['result'])},"jsonrpc":"2.0","id":`, replies: new Map() };
};

type Call = {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly revision: string;
  readonly idText: string;
};

/** A result, and the address of its evidence. */
type Parts = { readonly parts: ReturnType<typeof toCallToolResultParts>; readonly evidence?: string };

const handleCall = async (exchange: McpExchange, { tool, ...call }: Call): Promise<ByteReply> => {
  const { revision } = call;
  const { parts, evidence } = await partsOf(() => exchange.call(tool, call.arguments), revision);
  const more = membersBeside(exchange.view, revision, evidence);
  const whole = ['{"result":{', ...parts, `${more}},"jsonrpc":"2.0","id":${call.idText}}`];
  return createJsonRpcReply(Buffer.concat(whole.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))));
};

const partsOf = async (call: () => Promise<Result<ToolResult>>, revision: string): Promise<Parts> => {
  try {
    const result = await call();
    const evidence = result.ok ? result.value.evidence : undefined;
    return { parts: toCallToolResultParts(result, revision), ...(evidence !== undefined && { evidence }) };
  } catch (error) {
    return { parts: toCallToolResultParts(logAndFailCall(error), revision) };
  }
};

/** What a result says beside the call, in the order in which the SDK writes it. */
const membersBeside = ({ asset }: AssetView, revision: string, evidence: string | undefined): string => {
  const ofResult = evidence === undefined ? {} : { [evidenceMetaKey]: evidence };
  if (revision !== statelessRevision) return evidence === undefined ? '' : `,"_meta":${JSON.stringify(ofResult)}`;
  if (evidence === undefined) return statelessMembers(asset);
  const meta = { ...ofResult, [SERVER_INFO_META_KEY]: describeMcpServer(asset) };
  return `,"_meta":${JSON.stringify(meta)},"resultType":"complete"`;
};

/** In the revision where nothing was said before the call. */
const statelessMembers = (asset: AssetVersion): string => {
  const known = metaByAsset.get(asset);
  if (known !== undefined) return known;
  const members = `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: describeMcpServer(asset) })}`;
  metaByAsset.set(asset, members);
  return members;
};

const metaByAsset = new WeakMap<AssetVersion, string>();
