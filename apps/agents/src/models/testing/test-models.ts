/** Models for specs: an endpoint that the operator listed, the log, and short questions. */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { EndpointModel, type ModelDefinition } from '@tessera/contracts/agents';
import type { Failure, Result } from '@tessera/failures';
import type { ModelHosts } from '../model-settings.js';
import type { Model, ModelAnswer, ModelRequest } from '../model.js';
import { Models } from '../models.js';

export const testApiKey = 'sk-trial-0123456789';

export const createEndpointDefinition = (more: object = {}): ModelDefinition =>
  EndpointModel.parse({
    ...{ provider: 'openai-compatible', baseUrl: 'https://llm.example/v1', model: 'small', apiKey: '{secret:LLM_KEY}' },
    ...more,
  });

export const createModelRequest = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [
    { role: 'system', text: 'You answer.' },
    { role: 'user', text: 'Does it work?' },
  ],
  ...{ tools: [], mayCall: true, deadlineMs: Date.now() + 60_000, signal: new AbortController().signal },
  ...more,
});

export const rejectingPlanner: LanguageModelV4 = {
  ...{ specificationVersion: 'v4', provider: 'builtin', modelId: 'planner', supportedUrls: {} },
  doGenerate: () => Promise.reject(new Error('There is no planner here.')),
  doStream: () => Promise.reject(new Error('There is no planner here.')),
};

export type TestModelOptions = {
  readonly hosts?: ModelHosts;
  readonly silenceMs?: number;
  readonly builtin?: LanguageModelV4;
};

export const createTestModels = ({
  hosts = {},
  silenceMs = 60_000,
  builtin = rejectingPlanner,
}: TestModelOptions = {}) => {
  const logged: object[] = [];
  const models = new Models({
    settings: { MODEL_HOSTS: hosts, MODEL_SILENCE_SECONDS: silenceMs / 1_000 },
    log: { warn: (fields, message) => void logged.push({ ...fields, message }) },
    ...{ builtin, firstPauseMs: 1 },
  });
  return { models, logged };
};

/** A model of the team `meridian` at `address`, which is where `llm.example` is. */
export const createTestModel = (
  address: string,
  definition = createEndpointDefinition(),
  options: TestModelOptions = {},
) => {
  const host = { teams: ['meridian'], address, secrets: { LLM_KEY: testApiKey } };
  const hosts = { 'llm.example': host, ...options.hosts };
  const { models, logged } = createTestModels({ ...options, hosts });
  const model = valueOf(models.of('meridian', definition));
  return {
    ...{ model, logged },
    ask: (more: Partial<ModelRequest> = {}): Promise<Result<ModelAnswer>> => model.ask(createModelRequest(more)),
    answer: async (more: Partial<ModelRequest> = {}) => valueOf(await model.ask(createModelRequest(more))),
  };
};

const valueOf = <T extends Model | ModelAnswer>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.failure.detail);
  return result.value;
};

export const createTextCollector = () => {
  const received: string[] = [];
  return { received, onText: (text: string) => void received.push(text) };
};

export const answerModes: readonly (readonly [string, () => Partial<ModelRequest>])[] = [
  ['at once', () => ({})],
  ['in pieces', createTextCollector],
];

export const createModelUnavailableResult = (why: string, more: Partial<Failure> = {}) => ({
  ok: false,
  failure: { code: 'AGENT_MODEL_UNAVAILABLE', detail: `The language model ${why}.`, ...more },
});
