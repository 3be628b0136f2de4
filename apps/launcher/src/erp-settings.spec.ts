import { describe, expect, it } from '@jest/globals';
import { withMockErpSettings } from './mock-erp.js';

const erp = { address: 'http://127.0.0.1:4711', token: 'the-token', stop: () => Promise.resolve() };
const host = { teams: ['meridian'], address: erp.address };
const secret = { teams: ['meridian'], hosts: ['erp.meridian.example'], value: erp.token };

const settings = (environment: NodeJS.ProcessEnv): unknown =>
  Object.fromEntries(
    Object.entries(withMockErpSettings(environment, erp)).map(([name, text]) => [name, JSON.parse(text ?? '')]),
  );

describe('withMockErpSettings', () => {
  it("adds the ERP's host and token", () => {
    const expected = { HTTP_TOOL_HOSTS: { 'erp.meridian.example': host }, TOOL_SECRETS: { ERP_TOKEN: secret } };
    expect(settings({})).toEqual(expected);
    expect(settings({ HTTP_TOOL_HOSTS: ' ', TOOL_SECRETS: '' })).toEqual(expected);
  });

  it("prefers the operator's entries over those of the mock ERP", () => {
    const crm = { teams: ['northgate'], address: 'https://10.0.0.7' };
    const own = { ...secret, value: 'the-own-one' };
    const environment = {
      HTTP_TOOL_HOSTS: JSON.stringify({ 'crm.example': crm }),
      TOOL_SECRETS: JSON.stringify({ ERP_TOKEN: own }),
    };
    expect(settings(environment)).toEqual({
      HTTP_TOOL_HOSTS: { 'erp.meridian.example': host, 'crm.example': crm },
      TOOL_SECRETS: { ERP_TOKEN: own },
    });
  });

  it.each(['{', '[]', '5', 'null'])('leaves %s unchanged for the service to reject', (text) => {
    expect(withMockErpSettings({ TOOL_SECRETS: text }, erp)).toMatchObject({ TOOL_SECRETS: text });
  });
});
