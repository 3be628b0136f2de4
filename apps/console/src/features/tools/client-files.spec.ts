import { describe, expect, it } from '@jest/globals';
import { clientFile, clientKinds, type ClientKind, type ClientWay } from './client-files.js';

const address = 'https://tessera.example/studio-copilot/api/v1/mcp-servers/mcp/p2p-tools';
const read = (kind: ClientKind, way: ClientWay): unknown =>
  JSON.parse(clientFile(kind, way, { name: 'p2p-tools', address }).text);

describe('the file of a client', () => {
  it.each(clientKinds)('of the kind %s has the address, and no header for who signs in', (kind) => {
    const { text } = clientFile(kind, 'signIn', { name: 'p2p-tools', address });
    expect(text).toContain(`"url": "${address}"`);
    expect(text).not.toMatch(/header|key/i);
    expect(text.endsWith('}\n')).toBe(true);
  });

  it.each(clientKinds)('of the kind %s has a placeholder for a key, and never a key', (kind) => {
    const { text } = clientFile(kind, 'key', { name: 'p2p-tools', address });
    expect(/"AppKey": "([^"]+)"/.exec(text)?.[1]).toMatch(/^(?:\$\{[\w:-]+\}|<API key>)$/);
  });

  it('of an editor asks for the key and refers to it', () => {
    expect(read('editor', 'key')).toEqual({
      inputs: [{ type: 'promptString', id: 'tessera-key', description: 'API key', password: true }],
      servers: { 'p2p-tools': { type: 'http', url: address, headers: { AppKey: '${input:tessera-key}' } } },
    });
  });

  it('of others names servers as they read them', () => {
    expect(read('terminal', 'signIn')).toEqual({ mcpServers: { 'p2p-tools': { type: 'http', url: address } } });
    expect(read('inspector', 'signIn')).toEqual({
      mcpServers: { 'p2p-tools': { type: 'streamable-http', url: address } },
    });
  });
});
