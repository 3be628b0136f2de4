/**
 * The settings of http-request tools: hosts that an operator vouches for, secrets that assets may name, and how many calls
 * a host takes at once.
 * Refuses: to tell an address or a secret; what is wrong is said by names alone.
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
  /** Where hosts of http-request tools are, as JSON by host name. */
  HTTP_TOOL_HOSTS: jsonByName(
    'a JSON object like {"erp.example": {"teams": ["meridian"], "address": "http://127.0.0.1:4711"}}',
    hostName,
    ListedHost,
  ),
  /** Secrets that headers of http-request tools may name, as JSON by name. */
  TOOL_SECRETS: jsonByName(
    'a JSON object like {"ERP_TOKEN": {"teams": ["meridian"], "hosts": ["erp.example"], "value": "..."}}',
    secretName,
    ToolSecret,
  ),
  /** Calls of one team that one host answers at the same time, in each replica. */
  HTTP_TOOL_CALLS_PER_HOST: wholeNumber(1, 10_000).default(50),
};
export type RequestSettings = Readonly<{
  HTTP_TOOL_HOSTS: Readonly<Record<string, ListedHost>>;
  TOOL_SECRETS: Readonly<Record<string, ToolSecret>>;
  HTTP_TOOL_CALLS_PER_HOST: number;
}>;
