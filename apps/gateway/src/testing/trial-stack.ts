/** Everything that a spec of the gateway needs: database, NATS, a content repository, one gateway, keys, a client. */
import * as knowledgeModels from '@tessera/contracts/knowledge-models';
import { operationsIn, testDatabase, testNats, type TestDatabase, type TestNats } from '@tessera/testing';
import { startTrialService, tellingController, type TrialService } from './telling.js';
import { startTrialAgents } from './trial-agents.js';
import { startTrialContent } from './trial-content.js';
import { startTrialTools } from './trial-tools.js';
import { makeTrialKeys, placesOf, startTrialGateway, type TrialGateway, type TrialKeys } from './trial-gateway.js';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed body; undefined when it is no JSON. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
};

export type Ask = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, a text as it is. */
  readonly body?: unknown;
  readonly key?: string | undefined;
  readonly gateway?: TrialGateway;
};

export type TrialStack = {
  readonly database: TestDatabase;
  readonly nats: TestNats;
  readonly content: TrialService;
  readonly gateway: TrialGateway;
  readonly keys: TrialKeys;
  /** With the key of meridian, unless `key` says another; `key: undefined` sends none. */
  readonly ask: (path: string, options?: Ask) => Promise<Answer>;
  /** A further gateway on the same database and NATS. */
  readonly startGateway: (settings?: Readonly<Record<string, string>>) => Promise<TrialGateway>;
  readonly stop: () => Promise<void>;
};

/** A path of group A. */
export const reads = (rest: string): string => `/demo/p2p/_api/rest${rest}`;

export const openTrialStack = async (settings: Readonly<Record<string, string>> = {}): Promise<TrialStack> => {
  const [database, nats] = await Promise.all([testDatabase(), testNats()]);
  const keys = await makeTrialKeys(database);
  const content = await startTrialContent(nats.urlFor('content-repo'));
  const models = operationsIn(knowledgeModels, 'D');
  const knowledge = await startTrialService(nats.urlFor('knowledge-models'), 'knowledge-models', [
    tellingController(models, 'KM_MODEL_NOTFOUND'),
  ]);
  const tools = await startTrialTools(nats.urlFor('tool-gateway'));
  const agents = await startTrialAgents(nats.urlFor('agents'));
  const gateways: TrialGateway[] = [];
  const startGateway = async (more: Readonly<Record<string, string>> = {}): Promise<TrialGateway> => {
    const started = await startTrialGateway(placesOf(database, nats), { ...settings, ...more });
    gateways.push(started);
    return started;
  };
  const gateway = await startGateway();
  const ask = (path: string, options: Ask = {}): Promise<Answer> => {
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
  return { database, nats, content, gateway, keys, ask, startGateway, stop };
};

const send = async (url: string, { method = 'GET', headers, body }: Ask, key: string | undefined): Promise<Answer> => {
  const response = await fetch(url, {
    method,
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
