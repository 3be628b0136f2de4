/**
 * The providers of language models. Addresses, keys and connections are always given; providers never look them up in the
 * environment.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { AllowedEndpoint, EndpointDefinition } from './allowed-endpoint.js';
import { createEndpointFetch } from './endpoint-fetch.js';

export const makeLanguageModel = (
  { provider, model }: EndpointDefinition,
  { url, address, apiKey, headers }: AllowedEndpoint,
  silenceMs: number,
): LanguageModelV4 => {
  const common = { baseURL: url.href, apiKey, headers, fetch: createEndpointFetch({ url, address, silenceMs }) };
  switch (provider) {
    case 'openai-compatible':
      return createOpenAICompatible({
        ...common,
        name: 'endpoint',
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(model);
    case 'anthropic':
      return createAnthropic(common)(model);
    case 'google':
      return createGoogleGenerativeAI(common)(model);
  }
};
