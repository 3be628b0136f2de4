/**
 * The language models of agents, cached by team and definition. Never uses hosts or secrets that are not allowed to the team.
 */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelDefinition } from '@tessera/contracts/agents';
import { fail, type FaultList, type Result, succeed } from '@tessera/failures';
import { createSecretMask } from '@tessera/service-kit';
import { LRUCache } from 'lru-cache';
import { resolveAllowedEndpoint, type EndpointDefinition, collectEndpointFaults } from './allowed-endpoint.js';
import { type ModelEndpoint, askModel, type RetryOptions } from './ask-model.js';
import { makeLanguageModel } from './make-language-model.js';
import type { Model } from './model.js';
import type { ModelHosts, ModelSettings } from './model-settings.js';

export type ModelsOptions = {
  readonly settings: ModelSettings;
  /** Where operators read why a model did not answer. */
  readonly log: { readonly warn: (fields: object, message: string) => void };
  /** What a definition means by `builtin`. */
  readonly builtin: LanguageModelV4;
  readonly firstPauseMs?: number;
};

const keptModelsMax = 500;

/** Eight results of tools as large as they may be. */
const builtinCapabilities = { contextTokens: 200_000, outputTokens: 32_000, isRuleBased: true };

const unusableModelFailure = fail(
  'AGENT_MODEL_UNAVAILABLE',
  'The language model of the agent does not fit the settings of the platform.',
  { retryAfterSeconds: 60 },
);

export class Models {
  readonly #hosts: ModelHosts;
  readonly #silenceMs: number;
  readonly #log: ModelsOptions['log'];
  readonly #patience: RetryOptions;
  readonly #kept = new LRUCache<string, Model>({ max: keptModelsMax });
  readonly #builtin: Model;

  constructor({ settings, log, builtin, firstPauseMs = 500 }: ModelsOptions) {
    this.#hosts = settings.MODEL_HOSTS;
    this.#silenceMs = settings.MODEL_SILENCE_SECONDS * 1_000;
    this.#log = log;
    this.#patience = { attempts: 3, firstPauseMs };
    this.#builtin = this.#builtinModel(builtin);
  }

  /** AGENT_MODEL_UNAVAILABLE when the operator does not allow it, or not any more. */
  of(team: string, definition: ModelDefinition): Result<Model> {
    if (definition.provider === 'builtin') return succeed(this.#builtin);
    const key = JSON.stringify([team, definition]);
    const model = this.#kept.get(key) ?? this.#endpointModel(team, definition);
    if (model === undefined) return unusableModelFailure;
    this.#kept.set(key, model);
    return succeed(model);
  }

  /** What the operator does not allow, at its place behind `path`. */
  faultsOf(team: string, definition: ModelDefinition, path: readonly (string | number)[], faults: FaultList): void {
    if (definition.provider !== 'builtin')
      collectEndpointFaults({ hosts: this.#hosts, team }, definition, path, faults);
  }

  #endpointModel(team: string, definition: EndpointDefinition): Model | undefined {
    const { provider, model, contextTokens, outputTokens, temperature } = definition;
    const endpoint = resolveAllowedEndpoint({ hosts: this.#hosts, team }, definition);
    if (endpoint === undefined) {
      this.#log.warn({ team, provider, model }, 'A language model is asked for that the settings do not allow.');
      return undefined;
    }
    return this.#modelOf(
      { team, provider, model, host: endpoint.url.hostname },
      { contextTokens, outputTokens, isRuleBased: false },
      {
        language: makeLanguageModel(definition, endpoint, this.#silenceMs),
        settings: { outputTokens, temperature, readsObjects: provider === 'google' },
        ...{ mask: endpoint.mask, patience: this.#patience },
      },
    );
  }

  #builtinModel(language: LanguageModelV4): Model {
    return this.#modelOf({ provider: 'builtin', model: language.modelId }, builtinCapabilities, {
      language,
      settings: { outputTokens: builtinCapabilities.outputTokens, takesAll: true },
      mask: createSecretMask([]),
      // It says the same the next time.
      patience: { attempts: 1, firstPauseMs: 0 },
    });
  }

  #modelOf(who: MetricLabels, nature: Capabilities, endpoint: Omit<ModelEndpoint, 'onOutage' | 'onUncounted'>): Model {
    let isSaid = who.host === undefined;
    const observed: ModelEndpoint = {
      ...endpoint,
      onOutage: (outage, attempts) =>
        this.#log.warn({ ...who, ...outage, attempts }, 'A language model gave no answer.'),
      onUncounted: () => {
        if (isSaid) return;
        isSaid = true;
        this.#log.warn(who, 'The endpoint of a language model counts no tokens; limits of tokens do not hold for it.');
      },
    };
    return {
      ...{ name: `${who.provider}/${who.model}`, ...nature },
      ask: (request) => askModel(observed, request),
    };
  }
}

type MetricLabels = {
  readonly provider: string;
  readonly model: string;
  readonly team?: string;
  readonly host?: string;
};
type Capabilities = Pick<Model, 'contextTokens' | 'outputTokens' | 'isRuleBased'>;
