/**
 * The settings of language models: hosts, the teams that may use them, their addresses and secrets. Never shows an address or a
 * secret in a fault.
 */
import {
  hostAddressSchema,
  hostNameSchema,
  jsonByNameSetting,
  secretNameSchema,
  secretValueSchema,
  teamListSchema,
  wholeNumberSetting,
} from '@tessera/service-kit';
import { z } from 'zod';

const ModelHost = z.strictObject({
  /** Whose agents may ask the host. */
  teams: teamListSchema,
  /** Where it is reached; the host itself, by https on port 443, when absent. */
  address: hostAddressSchema.optional(),
  /** By name; they go to this host alone, for these teams alone. */
  secrets: z.record(secretNameSchema, secretValueSchema, 'secrets by name').optional(),
});
export type ModelHost = Readonly<z.output<typeof ModelHost>>;
export type ModelHosts = Readonly<Record<string, ModelHost>>;

export const modelSettingsShape = {
  MODEL_HOSTS: jsonByNameSetting(
    'a JSON object like {"models.example": {"teams": ["meridian"], "secrets": {"LLM_KEY": "..."}}}',
    hostNameSchema,
    ModelHost,
  ).meta({
    description:
      'Language models: the hosts that agents of the named teams may ask, where they are reached when that is elsewhere than their name says, and the secrets that go there.',
    secret: true,
  }),
  MODEL_SILENCE_SECONDS: wholeNumberSetting(1, 600, 'seconds')
    .default(30)
    .describe('After so long without a byte an endpoint has failed.'),
};
export type ModelSettings = Readonly<{ MODEL_HOSTS: ModelHosts; MODEL_SILENCE_SECONDS: number }>;
