import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '@tessera/service-kit';
import { z } from 'zod';
import { toRequestOptions } from './request-context.js';
import { requestSettingsShape } from './request-settings.js';

const read = (environment: Readonly<Record<string, unknown>> = {}) =>
  readConfiguration(
    z.object(requestSettingsShape),
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  );

const host = { teams: ['meridian'], address: 'http://10.9.8.7:4711' };
const secret = { teams: ['meridian'], hosts: ['erp.example'], value: 'top-secret' };

describe('the settings of http-request tools', () => {
  it('list no host and no secret by default', () => {
    expect(read()).toEqual({ HTTP_TOOL_HOSTS: {}, TOOL_SECRETS: {}, HTTP_TOOL_CALLS_PER_HOST: 50 });
    expect(toRequestOptions(read())).toMatchObject({ hosts: {}, secrets: {}, timeoutMs: 10_000 });
  });

  it('are read as JSON objects by name', () => {
    const settings = read({ HTTP_TOOL_HOSTS: { 'erp.example': host }, TOOL_SECRETS: { ERP_TOKEN: secret } });
    expect(settings).toMatchObject({ HTTP_TOOL_HOSTS: { 'erp.example': host }, TOOL_SECRETS: { ERP_TOKEN: secret } });
  });

  it.each<[string, unknown, RegExp]>([
    ['HTTP_TOOL_HOSTS', '{', /a JSON object like/],
    ['HTTP_TOOL_HOSTS', { 'ERP.example': host }, /the name ERP\.example should be a host name in lower case/],
    ['HTTP_TOOL_HOSTS', { 'erp.example:80': host }, /should be a host name/],
    ['HTTP_TOOL_HOSTS', { 'erp.example': { ...host, teams: [] } }, /erp\.example\.teams should be at least one team/],
    [
      'HTTP_TOOL_HOSTS',
      { 'erp.example': { ...host, address: 'http://10.9.8.7:4711/path' } },
      /should be an address like/,
    ],
    ['HTTP_TOOL_HOSTS', { 'erp.example': { ...host, address: 'http://me@10.9.8.7' } }, /should be an address like/],
    ['HTTP_TOOL_HOSTS', { 'erp.example': { ...host, address: 'ftp://10.9.8.7' } }, /should be an address like/],
    ['HTTP_TOOL_HOSTS', { 'erp.example': { ...host, adress: 'x' } }, /erp\.example has no member adress/],
    ['TOOL_SECRETS', '[]', /a JSON object like/],
    ['TOOL_SECRETS', { 'ERP-TOKEN': secret }, /the name ERP-TOKEN should be of letters, digits and _/],
    ['TOOL_SECRETS', { ERP_TOKEN: { ...secret, hosts: [] } }, /at least one host/],
    ['TOOL_SECRETS', { ERP_TOKEN: { ...secret, value: 'short' } }, /of at least 8 characters/],
    ['TOOL_SECRETS', { ERP_TOKEN: { ...secret, value: 'top-secret\r\nX: y' } }, /printable ASCII/],
    ['HTTP_TOOL_CALLS_PER_HOST', '0', /a whole number of calls from 1/],
  ])('reject %s as %j without showing a secret or an address', (name, value, expected) => {
    const stopped = () => read({ [name]: value });
    expect(stopped).toThrow(expected);
    expect(stopped).not.toThrow(/top-secret|10\.9\.8\.7/);
  });
});
