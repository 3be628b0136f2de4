/** Models for specs: an endpoint that the operator listed, the log, and short questions. */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { EndpointModel, type ModelDefinition } from '@tessera/contracts/agents';
import type { Failure, Result } from '@tessera/failures';
import type { ModelHosts } from '../model-settings.js';
import type { Model, ModelAnswer, ModelRequest } from '../model.js';
import { Models } from '../models.js';

export const secret = 'sk-trial-0123456789';

export const endpointModel = (more: object = {}): ModelDefinition =>
  EndpointModel.parse({
    ...{ provider: 'openai-compatible', baseUrl: 'https://llm.example/v1', model: 'small', apiKey: '{secret:LLM_KEY}' },
    ...more,
  });

export const question = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [
    { role: 'system', text: 'You answer.' },
    { role: 'user', text: 'Does it work?' },
  ],
  ...{ tools: [], mayCall: true, deadlineMs: Date.now() + 60_000, signal: new AbortController().signal },
  ...more,
});

export const noPlanner: LanguageModelV4 = {
  ...{ specificationVersion: 'v4', provider: 'builtin', modelId: 'planner', supportedUrls: {} },
  doGenerate: () => Promise.reject(new Error('There is no planner here.')),
  doStream: () => Promise.reject(new Error('There is no planner here.')),
};

export type TestOptions = {
  readonly hosts?: ModelHosts;
  readonly silenceMs?: number;
  readonly builtin?: LanguageModelV4;
};

export const testModels = ({ hosts = {}, silenceMs = 60_000, builtin = noPlanner }: TestOptions = {}) => {
  const logged: object[] = [];
  const models = new Models({
    settings: { MODEL_HOSTS: hosts, MODEL_SILENCE_SECONDS: silenceMs / 1_000 },
    log: { warn: (fields, message) => void logged.push({ ...fields, message }) },
    ...{ builtin, firstPauseMs: 1 },
  });
  return { models, logged };
};

/** A model of the team `meridian` at `address`, which is where `llm.example` is. */
export const testModel = (address: string, definition = endpointModel(), options: TestOptions = {}) => {
  const host = { teams: ['meridian'], address, secrets: { LLM_KEY: secret } };
  const hosts = { 'llm.example': host, ...options.hosts };
  const { models, logged } = testModels({ ...options, hosts });
  const model = valueOf(models.of('meridian', definition));
  return {
    ...{ model, logged },
    ask: (more: Partial<ModelRequest> = {}): Promise<Result<ModelAnswer>> => model.ask(question(more)),
    answer: async (more: Partial<ModelRequest> = {}) => valueOf(await model.ask(question(more))),
  };
};

const valueOf = <T extends Model | ModelAnswer>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.failure.detail);
  return result.value;
};

export const collectTexts = () => {
  const received: string[] = [];
  return { received, onText: (text: string) => void received.push(text) };
};

export const callModes: readonly (readonly [string, () => Partial<ModelRequest>])[] = [
  ['at once', () => ({})],
  ['in pieces', collectTexts],
];

export const unavailable = (why: string, more: Partial<Failure> = {}) => ({
  ok: false,
  failure: { code: 'AGENT_MODEL_UNAVAILABLE', detail: `The language model ${why}.`, ...more },
});
