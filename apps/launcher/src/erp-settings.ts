/** Adds the host and token of the demo's ERP to the tool gateway's settings. The operator's own entries win. */
import { erpHost, erpSecret } from '@tessera/demo-company';
import type { MockErp } from './mock-erp.js';

const teams = ['meridian'];

export const withErp = (environment: NodeJS.ProcessEnv, { address, token }: MockErp): NodeJS.ProcessEnv => ({
  HTTP_TOOL_HOSTS: withEntry(environment['HTTP_TOOL_HOSTS'], erpHost, { teams, address }),
  TOOL_SECRETS: withEntry(environment['TOOL_SECRETS'], erpSecret, { teams, hosts: [erpHost], value: token }),
});

const withEntry = (text: string | undefined, name: string, entry: object): string => {
  if (text === undefined || text.trim() === '') return JSON.stringify({ [name]: entry });
  try {
    const entries: unknown = JSON.parse(text);
    const isByName = typeof entries === 'object' && entries !== null && !Array.isArray(entries);
    return isByName ? JSON.stringify({ [name]: entry, ...entries }) : text;
  } catch {
    return text;
  }
};
