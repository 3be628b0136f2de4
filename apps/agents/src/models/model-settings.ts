/**
 * The settings of language models: hosts, the teams that may use them, their addresses and secrets. Never shows an address or a
 * secret in a fault.
 */
import {
  hostAddress,
  hostName,
  jsonByName,
  secretName,
  secretValue,
  teamList,
  wholeNumber,
} from '@tessera/service-kit';
import { z } from 'zod';

const ModelHost = z.strictObject({
  /** Whose agents may ask the host. */
  teams: teamList,
  /** Where it is reached; the host itself, by https on port 443, when absent. */
  address: hostAddress.optional(),
  /** By name; they go to this host alone, for these teams alone. */
  secrets: z.record(secretName, secretValue, 'secrets by name').optional(),
});
export type ModelHost = Readonly<z.output<typeof ModelHost>>;
export type ModelHosts = Readonly<Record<string, ModelHost>>;

export const modelSettings = {
  MODEL_HOSTS: jsonByName(
    'a JSON object like {"models.example": {"teams": ["meridian"], "secrets": {"LLM_KEY": "..."}}}',
    hostName,
    ModelHost,
  ).meta({
    description:
      'Language models: the hosts that agents of the named teams may ask, where they are reached when that is elsewhere than their name says, and the secrets that go there.',
    secret: true,
  }),
  MODEL_SILENCE_SECONDS: wholeNumber(1, 600, 'seconds')
    .default(30)
    .describe('After so long without a byte an endpoint has failed.'),
};
export type ModelSettings = Readonly<{ MODEL_HOSTS: ModelHosts; MODEL_SILENCE_SECONDS: number }>;
