/** The settings of http-request tools. Messages never show an address or a secret, only names. */
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

const ListedHost = z.strictObject({
  /** Whose tools reach the host here; for other teams it is a host like any other. */
  teams: teamList,
  address: hostAddress,
});

const ToolSecret = z.strictObject({
  teams: teamList,
  hosts: z.array(hostName, 'a list of hosts').min(1, 'at least one host'),
  value: secretValue,
});

export type ListedHost = Readonly<z.output<typeof ListedHost>>;
export type ToolSecret = Readonly<z.output<typeof ToolSecret>>;

export const requestSettings = {
  HTTP_TOOL_HOSTS: jsonByName(
    'a JSON object like {"erp.example": {"teams": ["meridian"], "address": "http://127.0.0.1:4711"}}',
    hostName,
    ListedHost,
  ).describe(
    'Hosts of http-request tools that an operator vouches for, by name: whose tools reach them and where they are; such an address may be private and without TLS.',
  ),
  TOOL_SECRETS: jsonByName(
    'a JSON object like {"ERP_TOKEN": {"teams": ["meridian"], "hosts": ["erp.example"], "value": "..."}}',
    secretName,
    ToolSecret,
  ).meta({
    description:
      'Secrets that headers of http-request tools may name, for which teams, and to which hosts they may go.',
    secret: true,
  }),
  HTTP_TOOL_CALLS_PER_HOST: wholeNumber(1, 10_000, 'calls')
    .default(50)
    .describe('Calls of one team that one host answers at the same time, in each replica.'),
};
export type RequestSettings = Readonly<{
  HTTP_TOOL_HOSTS: Readonly<Record<string, ListedHost>>;
  TOOL_SECRETS: Readonly<Record<string, ToolSecret>>;
  HTTP_TOOL_CALLS_PER_HOST: number;
}>;
