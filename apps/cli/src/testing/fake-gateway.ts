/**
 * A fake gateway: an HTTP server that speaks the contracts and keeps what is applied in memory. A request that breaks a
 * contract fails loudly.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toCanonicalElement, normaliseDefinition, printElementLine } from '@tessera/content-model';
import {
  idempotencyHeader,
  type ElementDocument,
  type HttpOperation,
  type StorageDefinition,
} from '@tessera/contracts';
import * as content from '@tessera/contracts/content-repo';
import * as gateway from '@tessera/contracts/gateway';
import type { Fault } from '@tessera/failures';
import { memberNotFound, accessHandlers, createFakeAccessState, type FakeAccessState } from './fake-access.js';
import { agentsHandlers, createFakeAgentsState, type FakeAgentsState } from './fake-agents.js';
import { nonTextMembersOf, pathPatternOf, sendJson, sendChunks, readBodyText } from './fake-http.js';
import { createFakeKnowledgeState, knowledgeHandlers, type FakeKnowledgeState } from './fake-knowledge.js';
import { createFakeToolsState, toolsHandlers, type FakeToolsState } from './fake-tools.js';

type Refusal = {
  readonly status: number;
  readonly title?: string;
  readonly detail?: string;
  readonly faults?: readonly Fault[];
  readonly retryAfterSeconds?: number;
};

/** A refusal, a body that breaks off, a text or one in pieces, an answer in place of the usual one, or the usual one. */
type ScriptedReply =
  | Refusal
  | 'break'
  | { readonly text: string }
  | { readonly pieces: AsyncIterable<string> }
  | object
  | undefined;

export type FakeGateway = {
  readonly url: string;
  /** The names of the operations that were called, in order. */
  readonly calls: string[];
  /** The requests, in order. */
  readonly requests: unknown[];
  /** The Idempotency-Keys that came with them; empty where there was none. */
  readonly idempotencyKeys: string[];
  readonly storages: Map<string, { readonly definition: StorageDefinition; readonly documents: ElementDocument[] }>;
  readonly knowledge: FakeKnowledgeState;
  readonly tools: FakeToolsState;
  readonly agents: FakeAgentsState;
  /** The largest body that came. */
  readonly largestBody: () => number;
  /** Answers the next calls of an operation, one entry each; the last stays. */
  readonly script: (operation: HttpOperation, answers: readonly ScriptedReply[]) => void;
  readonly stop: () => Promise<void>;
};

type Inputs = Readonly<Record<string, string>>;
type State = FakeAccessState &
  FakeKnowledgeState &
  FakeToolsState &
  FakeAgentsState & {
    readonly storages: FakeGateway['storages'];
    readonly teams: Map<string, string>;
    readonly imports: Map<
      string,
      { readonly definition: StorageDefinition; readonly staged: Map<number, ElementDocument> }
    >;
  };

type Handler = (state: State, path: Inputs, body: never) => unknown;

const storageKeyOf = ({ team, collection, storage }: Inputs): string => `${team}/${collection}/${storage}`;
const importId = '00000000-0000-4000-8000-000000000001';

const stagedOf = (state: State, path: Inputs) => state.imports.get(path['importId'] ?? '');

const commit = (state: State, path: Inputs) => {
  const staged = stagedOf(state, path);
  if (!staged) throw new Error('nothing was begun');
  const key = storageKeyOf(path);
  const before = new Set((state.storages.get(key)?.documents ?? []).map((document) => JSON.stringify(document)));
  const ordinals = [...staged.staged.keys()].sort((left, right) => left - right);
  const documents = ordinals.flatMap((ordinal) => staged.staged.get(ordinal) ?? []);
  const unchanged = documents.filter((document) => before.has(JSON.stringify(document))).length;
  state.storages.set(key, { definition: staged.definition, documents });
  return { importId, state: 'committed', created: documents.length - unchanged, changed: 0, unchanged };
};

const exportText = (state: State, path: Inputs): string => {
  const stored = state.storages.get(storageKeyOf(path));
  if (!stored) throw new Error('there is no such storage');
  const model = normaliseDefinition(stored.definition);
  const facetOf = (type: string) => model.types.find(({ name }) => name === type)?.facet;
  return model.facets
    .flatMap((facet) => stored.documents.filter(({ type }) => facetOf(type) === facet.name))
    .map((document) => printElementLine(toCanonicalElement(model, document)))
    .join('');
};

const testGrants = { scopes: ['content:read'], furtherScopes: [], attributes: {}, hourlyLimit: 6_000 };
const teamIn = ({ teams }: State, team: string) => ({ team, name: teams.get(team) ?? team, grants: testGrants });

const handlers: readonly (readonly [HttpOperation, Handler])[] = [
  [
    gateway.writeTeam,
    (state, { team = '' }, body: { name: string; grants?: object }) => {
      state.teams.set(team, body.name);
      return { team, name: body.name, grants: { ...testGrants, ...body.grants } };
    },
  ],
  [gateway.readTeam, (state, { team = '' }) => teamIn(state, team)],
  [gateway.listTeams, (state) => ({ teams: [...state.teams.keys()].sort().map((team) => teamIn(state, team)) })],
  [gateway.createKey, () => ({ keyId: '0123456789ab', key: 'tsk_0123456789ab_new_key' })],
  [gateway.listKeys, (_, { team }) => ({ team, keys: [testKeyRow] })],
  [gateway.revokeKey, (_, { keyId }) => ({ keyId, team: 'meridian', revoked: true })],
  [
    gateway.readPlatformStatus,
    () => ({ version: '0.1.0', uptimeSeconds: 61, dependencies: { nats: 'up' }, services: { 'content-repo': 'up' } }),
  ],
  [
    content.beginImport,
    (state, _path, body: { definition: StorageDefinition }) => {
      state.imports.set(importId, { definition: body.definition, staged: new Map() });
      return { importId };
    },
  ],
  [
    content.stageElements,
    (state, path, body: { firstOrdinal: number; elements: readonly ElementDocument[] }) => {
      body.elements.forEach((element, index) => stagedOf(state, path)?.staged.set(body.firstOrdinal + index, element));
      return { staged: body.elements.length };
    },
  ],
  [content.commitImport, commit],
  [content.cancelImport, (state, path) => ({ cancelled: state.imports.delete(path['importId'] ?? '') })],
  [
    content.listStorages,
    (state, { team }) => ({
      storages: [...state.storages].flatMap(([key, { definition, documents }]) =>
        key.startsWith(`${team}/`)
          ? [
              {
                collection: definition.collection,
                storage: definition.id,
                title: definition.title,
                elements: documents.length,
                changedAt: '',
              },
            ]
          : [],
      ),
    }),
  ],
  [content.exportStorageDefinition, (state, path) => state.storages.get(storageKeyOf(path))?.definition],
  [content.exportElements, exportText],
  [content.listBin, () => ({ deleted: [] })],
  [content.restoreFromBin, (_, { id }) => ({ id, facet: 'processes', type: 'process' })],
  [content.purgeBin, () => ({ elements: 0, versions: 0, more: false })],
  [content.listChanges, () => ({ changes: [] })],
  ...accessHandlers,
  ...knowledgeHandlers,
  ...toolsHandlers,
  ...agentsHandlers,
];

const testKeyRow = {
  keyId: '0123456789ab',
  name: 'demo',
  scopes: ['content:read'],
  furtherScopes: [],
  attributes: {},
  hourlyLimit: 5,
  createdAt: '2026-06-30T09:15:00Z',
  revokedAt: '2026-07-01T00:00:00Z',
  madeBy: 'operators',
};

const unknownKey = { title: 'Unauthorized', detail: 'The key is not known.', next: 'Send a valid API key.' };

export const startFakeGateway = async (acceptedKey: string): Promise<FakeGateway> => {
  const [knowledge, tools, agents] = [createFakeKnowledgeState(), createFakeToolsState(), createFakeAgentsState()];
  const state: State = {
    ...createFakeAccessState(),
    ...knowledge,
    ...tools,
    ...agents,
    storages: new Map(),
    teams: new Map(),
    imports: new Map(),
  };
  const calls: string[] = [];
  const requests: unknown[] = [];
  const idempotencyKeys: string[] = [];
  const scripts = new Map<string, ScriptedReply[]>();
  let largest = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBodyText(request);
    largest = Math.max(largest, Buffer.byteLength(text));
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const found = handlers.find(
      ([{ http }]) =>
        http.method.toUpperCase() === request.method && pathPatternOf({ http } as HttpOperation).test(pathname),
    );
    if (request.headers.authorization !== `Bearer ${acceptedKey}`) return sendJson(response, 401, unknownKey);
    if (!found) return sendJson(response, 404, { title: 'Path not found', detail: `${request.method} ${pathname}` });
    const [operation, handler] = found;
    calls.push(operation.name);
    idempotencyKeys.push(String(request.headers[idempotencyHeader] ?? ''));
    const query = Object.fromEntries(searchParams);
    const path = { ...query, ...pathPatternOf(operation).exec(pathname)?.groups } as Inputs;
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    requests.push(operation.request.parse({ ...path, ...nonTextMembersOf(operation, query, request.headers, body) }));
    const scripted = nextOf(scripts.get(operation.name));
    if (scripted === 'break')
      return void response.writeHead(200, { 'content-length': '10' }).write('x', () => response.destroy());
    if (scripted && 'status' in scripted) return sendJson(response, Number(scripted.status), scripted);
    if (scripted && 'pieces' in scripted) return sendChunks(response, scripted.pieces);
    const value = scripted && 'text' in scripted ? scripted.text : (scripted ?? handler(state, path, body as never));
    if (typeof value === 'string') return void response.writeHead(200).end(value);
    if (value === memberNotFound) return sendJson(response, memberNotFound.status, memberNotFound);
    if (!scripted && 'safeParse' in operation.reply) operation.reply.parse(value);
    sendJson(response, 200, value);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      sendJson(response, 500, { title: 'Stand-in', detail: String(error) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    requests,
    idempotencyKeys,
    storages: state.storages,
    knowledge,
    tools,
    agents,
    largestBody: () => largest,
    script: (operation, answers) => void scripts.set(operation.name, [...answers]),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

const nextOf = (answers: ScriptedReply[] | undefined) => answers && (answers.length > 1 ? answers.shift() : answers[0]);
