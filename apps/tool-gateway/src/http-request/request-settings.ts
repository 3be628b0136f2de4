/** The settings of http-request tools. Messages never show an address or a secret, only names. */
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

const AllowedHost = z.strictObject({
  /** Whose tools reach the host here; for other teams it is a host like any other. */
  teams: teamListSchema,
  address: hostAddressSchema,
});

const ToolSecret = z.strictObject({
  teams: teamListSchema,
  hosts: z.array(hostNameSchema, 'a list of hosts').min(1, 'at least one host'),
  value: secretValueSchema,
});

export type AllowedHost = Readonly<z.output<typeof AllowedHost>>;
export type ToolSecret = Readonly<z.output<typeof ToolSecret>>;

export const requestSettingsShape = {
  HTTP_TOOL_HOSTS: jsonByNameSetting(
    'a JSON object like {"erp.example": {"teams": ["meridian"], "address": "http://127.0.0.1:4711"}}',
    hostNameSchema,
    AllowedHost,
  ).describe(
    'Hosts of http-request tools that an operator vouches for, by name: whose tools reach them and where they are; such an address may be private and without TLS.',
  ),
  TOOL_SECRETS: jsonByNameSetting(
    'a JSON object like {"ERP_TOKEN": {"teams": ["meridian"], "hosts": ["erp.example"], "value": "..."}}',
    secretNameSchema,
    ToolSecret,
  ).meta({
    description:
      'Secrets that headers of http-request tools may name, for which teams, and to which hosts they may go.',
    secret: true,
  }),
  HTTP_TOOL_CALLS_PER_HOST: wholeNumberSetting(1, 10_000, 'calls')
    .default(50)
    .describe('Calls of one team that one host answers at the same time, in each replica.'),
};
export type RequestSettings = Readonly<{
  HTTP_TOOL_HOSTS: Readonly<Record<string, AllowedHost>>;
  TOOL_SECRETS: Readonly<Record<string, ToolSecret>>;
  HTTP_TOOL_CALLS_PER_HOST: number;
}>;
