import { describe, expect, it } from '@jest/globals';
import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { ModelDefinition } from '@tessera/contracts/agents';
import { createFaultList } from '@tessera/failures';
import {
  createEndpointDefinition,
  createModelRequest,
  rejectingPlanner,
  testApiKey,
  createTestModels,
} from './testing/test-models.js';

const hosts = {
  'llm.example': { teams: ['meridian'], secrets: { LLM_KEY: testApiKey } },
  'near.example': { teams: ['meridian'], address: 'http://10.1.2.3:8000' },
  'other.example': { teams: ['northgate'], secrets: { OTHER_KEY: testApiKey } },
  'api.anthropic.com': { teams: ['meridian'], secrets: { HOSTED_KEY: testApiKey } },
};

const faultsOf = (definition: ModelDefinition): readonly string[] => {
  const faults = createFaultList('body');
  createTestModels({ hosts }).models.faultsOf('meridian', definition, ['definitions', 0, 'model'], faults);
  return faults.faults.map(({ path, message }) => `${path}: ${message}`);
};

const hosted = (more: object) =>
  ModelDefinition.parse({ provider: 'anthropic', model: 'large', apiKey: '{secret:HOSTED_KEY}', ...more });

describe('the models of a team', () => {
  it('accept definitions whose hosts the operator allows', () => {
    const { models } = createTestModels({ hosts });
    const allowed = [
      createEndpointDefinition(),
      createEndpointDefinition({ baseUrl: 'http://near.example', apiKey: undefined }),
      createEndpointDefinition({ headers: { Authorization: 'Bearer {secret:LLM_KEY}', 'X-Team': 'meridian' } }),
      hosted({}),
    ];
    for (const definition of allowed) {
      expect(faultsOf(definition)).toEqual([]);
      expect(models.of('meridian', definition)).toMatchObject({ ok: true });
    }
  });

  it.each<[object, RegExp]>([
    [
      { baseUrl: 'https://lm.example/v1' },
      /^definitions\.0\.model\.baseUrl: the host lm\.example is not among those that the operator allows for the team; did you mean "llm\.example"\?$/,
    ],
    [{ baseUrl: 'https://other.example/v1' }, /^definitions\.0\.model\.baseUrl: the host other\.example is not among/],
    [{ baseUrl: 'https://constructor/v1' }, /^definitions\.0\.model\.baseUrl: the host constructor is not among/],
    [{ baseUrl: 'http://llm.example/v1' }, /baseUrl: expected https$/],
    [{ baseUrl: 'https://llm.example:8443/v1' }, /baseUrl: expected no port/],
    [
      { baseUrl: 'https://near.example:8000/v1', apiKey: undefined },
      /baseUrl: expected no port; the operator has said/,
    ],
    [{ apiKey: '{secret:LLM_KEI}' }, /model\.apiKey: there is no secret "LLM_KEI" .* did you mean "LLM_KEY"\?$/],
    [{ apiKey: '{secret:OTHER_KEY}' }, /model\.apiKey: there is no secret "OTHER_KEY" that the operator gives to/],
    [{ apiKey: '{secret:toString}' }, /model\.apiKey: there is no secret "toString"/],
    [{ headers: { 'X-Key': '{secret:HOSTED_KEY}' } }, /model\.headers\.X-Key: there is no secret "HOSTED_KEY"/],
    [{ headers: { Host: 'a' } }, /model\.headers\.Host: the header Host is set by the platform$/],
    [{ headers: { 'X-Key': 'größer' } }, /model\.headers\.X-Key: expected printable ASCII/],
  ])('are none of %j: a fault at its place, and no model at a turn', (more, expected) => {
    const definition = createEndpointDefinition(more);
    expect(faultsOf(definition)).toEqual([expect.stringMatching(expected)]);
    const { models, logged } = createTestModels({ hosts });
    expect(models.of('meridian', definition)).toEqual({
      ok: false,
      failure: {
        code: 'AGENT_MODEL_UNAVAILABLE',
        detail: 'The language model of the agent does not fit the settings of the platform.',
        retryAfterSeconds: 60,
      },
    });
    expect(logged).toHaveLength(1);
  });

  it.each(['https://llm.example:65536/v1', 'https://1.2.3.256/v1', 'https://256.256.256.256'])(
    'reject the invalid address %s',
    (address) => {
      const read = ModelDefinition.safeParse({ provider: 'openai-compatible', baseUrl: address, model: 'small' });
      expect(read.error?.issues).toMatchObject([
        { path: ['baseUrl'], message: 'expected an address that there can be' },
      ]);
    },
  );

  it('use the default address of a provider', () => {
    const google = ModelDefinition.parse({ provider: 'google', model: 'large' });
    expect(faultsOf(google)).toEqual([
      expect.stringMatching(/^definitions\.0\.model\.provider: the host generativelanguage\.googleapis\.com is not/),
    ]);
    expect(faultsOf(hosted({ baseUrl: 'https://api.anthropic.co/v1' }))).toEqual([
      expect.stringMatching(/^definitions\.0\.model\.baseUrl: .*did you mean "api\.anthropic\.com"\?$/),
    ]);
  });

  it('are cached by team and definition, and not shared between teams', () => {
    const shared = { 'llm.example': { teams: ['meridian', 'northgate'], secrets: { LLM_KEY: testApiKey } } };
    const { models } = createTestModels({ hosts: shared });
    const of = (team: string, more = {}) => {
      const model = models.of(team, createEndpointDefinition(more));
      return model.ok ? model.value : undefined;
    };
    expect(of('meridian')).toMatchObject({
      ...{ name: 'openai-compatible/small', contextTokens: 32_000, outputTokens: 4_000 },
    });
    expect(of('meridian')).toBe(of('meridian'));
    expect(of('meridian')).not.toBe(of('northgate'));
    expect(of('meridian')).not.toBe(of('meridian', { outputTokens: 100 }));
  });

  it('include the builtin model, which says what answers a question that it asks back', async () => {
    const usage = {
      inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    };
    const end: Omit<LanguageModelV4GenerateResult, 'content' | 'warnings'> = {
      ...{ finishReason: { unified: 'stop', raw: undefined }, usage },
      providerMetadata: { builtin: { choices: ['1. Plant', '2. Supplier\u0000', 3] } },
    };
    const text = 'Which one?';
    const { models } = createTestModels({
      hosts,
      builtin: {
        ...rejectingPlanner,
        doGenerate: async () => ({ ...end, content: [{ type: 'text', text }], warnings: [] }),
        doStream: async () => ({
          stream: ReadableStream.from<LanguageModelV4StreamPart>([
            { type: 'stream-start', warnings: [] },
            { type: 'text-delta', id: 'a', delta: text },
            { type: 'finish', ...end },
          ]),
        }),
      },
    });
    const builtin = models.of('anybody', { provider: 'builtin' });
    if (!builtin.ok) throw new Error('The builtin model is there for everybody.');
    for (const more of [{}, { onText: () => undefined }]) {
      const answer = await builtin.value.ask(createModelRequest(more));
      expect(answer).toMatchObject({ ok: true, value: { text, choices: ['1. Plant', '2. Supplier\uFFFD'] } });
    }
  });

  it('include the builtin model, whose internal errors are never shown to a caller', async () => {
    const { models, logged } = createTestModels({ builtin: rejectingPlanner });
    const builtin = models.of('anybody', { provider: 'builtin' });
    if (!builtin.ok) throw new Error('The builtin model is there for everybody.');
    expect(builtin.value.name).toBe('builtin/planner');
    const { signal } = new AbortController();
    const asked = { messages: [], tools: [], mayCall: true, deadlineMs: Date.now() + 60_000, signal };
    expect(await builtin.value.ask(asked)).toMatchObject({
      failure: { code: 'AGENT_MODEL_UNAVAILABLE', detail: 'The language model answered what cannot be understood.' },
    });
    expect(logged).toMatchObject([
      { provider: 'builtin', attempts: 1, error: 'Error', at: expect.stringMatching(/test-models/) },
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/no planner here/);
  });
});
