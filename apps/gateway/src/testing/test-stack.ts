/** Everything that a spec of the gateway needs: database, NATS, a content repository, one gateway, keys, a client. */
import * as knowledgeModels from '@tessera/contracts/knowledge-models';
import { findOperations, createTestDatabase, startTestNats, type TestDatabase, type TestNats } from '@tessera/testing';
import { startTestService, createEchoController, type TestService } from './echo-service.js';
import { startStubAgents } from './stub-agents.js';
import { startStubContentRepo } from './stub-content.js';
import { StubODataController } from './stub-odata.js';
import { startStubTools } from './stub-tools.js';
import {
  createTestApiKeys,
  testAddressesOf,
  startTestGateway,
  type TestGateway,
  type TestApiKeys,
} from './test-gateway.js';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed body; undefined when it is no JSON. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
};

export type RequestOptions = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, a text as it is. */
  readonly body?: unknown;
  readonly key?: string | undefined;
  readonly gateway?: TestGateway;
  readonly redirect?: RequestInit['redirect'];
};

export type TestStack = {
  readonly database: TestDatabase;
  readonly nats: TestNats;
  readonly content: TestService;
  readonly gateway: TestGateway;
  readonly keys: TestApiKeys;
  /** With the key of meridian, unless `key` says another; `key: undefined` sends none. */
  readonly request: (path: string, options?: RequestOptions) => Promise<Answer>;
  /** A further gateway on the same database and NATS. */
  readonly startGateway: (settings?: Readonly<Record<string, string>>) => Promise<TestGateway>;
  readonly stop: () => Promise<void>;
};

/** Group D, without what the gateway serves by itself. */
export const knowledgeOperations = findOperations(knowledgeModels, 'D').filter(
  ({ owner }) => owner === 'knowledge-models',
);

/** A path of group A. */
export const contentRestPath = (rest: string): string => `/demo/p2p/_api/rest${rest}`;

export const openTestStack = async (settings: Readonly<Record<string, string>> = {}): Promise<TestStack> => {
  const [database, nats] = await Promise.all([createTestDatabase(), startTestNats()]);
  const keys = await createTestApiKeys(database);
  const content = await startStubContentRepo(nats.urlFor('content-repo'));
  const knowledge = await startTestService(nats.urlFor('knowledge-models'), 'knowledge-models', [
    StubODataController,
    createEchoController(
      knowledgeOperations.filter(({ name }) => name !== knowledgeModels.readODataEntries.name),
      'KM_MODEL_NOTFOUND',
    ),
  ]);
  const tools = await startStubTools(nats.urlFor('tool-gateway'));
  const agents = await startStubAgents(nats.urlFor('agents'));
  const gateways: TestGateway[] = [];
  const startGateway = async (more: Readonly<Record<string, string>> = {}): Promise<TestGateway> => {
    const started = await startTestGateway(testAddressesOf(database, nats), { ...settings, ...more });
    gateways.push(started);
    return started;
  };
  const gateway = await startGateway();
  const request = (path: string, options: RequestOptions = {}): Promise<Answer> => {
    const key = 'key' in options ? options.key : keys.meridian;
    return send(`${(options.gateway ?? gateway).url}${path}`, options, key);
  };
  const stop = async (): Promise<void> => {
    await Promise.all(gateways.map((each) => each.stop()));
    await content.stop();
    await knowledge.stop();
    await tools.stop();
    await agents.stop();
    await nats.stop();
    await database.drop();
  };
  return { database, nats, content, gateway, keys, request, startGateway, stop };
};

const send = async (
  url: string,
  { method = 'GET', headers, body, redirect = 'follow' }: RequestOptions,
  key: string | undefined,
): Promise<Answer> => {
  const response = await fetch(url, {
    ...{ method, redirect },
    headers: {
      ...(key !== undefined && { AppKey: key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
};

const parse = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
