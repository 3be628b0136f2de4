import { describe, expect, it } from '@jest/globals';
import { operationsIn } from '../../build/operations.mjs';
import { buildRequest } from './build-request.js';

const facets = { collectionId: 'demo', storageId: 'p2p' };

describe('a request', () => {
  it('has the method and address of the operation, and says that it comes from a page', () => {
    expect(buildRequest('readMe', {})).toEqual({
      ...{ path: '/me', method: 'GET', body: undefined },
      headers: { Accept: 'application/json', 'X-Tessera-Request': '1' },
    });
  });

  it('escapes members of the path, so that none reaches another address', () => {
    const { path } = buildRequest('readModel', { km_id: 'a/b?c#d e' });
    expect(path).toContain('/a%2Fb%3Fc%23d%20e');
  });

  it.each(['.', '..', ''])('refuses %j in the path, which would be another address', (km_id) => {
    expect(() => buildRequest('readModel', { km_id })).toThrow('cannot stand in an address as km_id');
  });

  it('refuses a path without all its members', () => {
    expect(() => buildRequest('readModel', {})).toThrow('readModel: ""');
  });

  it('sends the body as JSON and the rest as query', () => {
    const { path, method, headers, body } = buildRequest('startSession', { signIn: { apiKey: 'x' } });
    expect([path, method, body]).toEqual(['/session', 'POST', '{"apiKey":"x"}']);
    expect(headers).toMatchObject({ 'Content-Type': 'application/json' });
  });

  it('repeats lists, and leaves out what is undefined', () => {
    const { path } = buildRequest('listMembers', {
      team: 'meridian',
      after: undefined,
      pageSize: 2,
      more: ['a,b', 'c'],
    });
    expect(path).toBe('/admin/teams/meridian/members?pageSize=2&more=a%2Cb&more=c');
  });

  it('makes parameters of the members of an object', () => {
    expect(buildRequest('readMe', { aliases: { '@p': "'x'" } }).path).toBe('/me?%40p=%27x%27');
  });

  it('puts members that travel as headers there', () => {
    const { path, headers } = buildRequest('listFacets', { ...facets, ifNoneMatch: '"1"', apiVersion: '4.0' });
    expect(path).not.toContain('?');
    expect(headers).toMatchObject({ 'if-none-match': '"1"', 'api-version': '4.0' });
  });

  it('accepts what the input says in place of JSON', () => {
    const { headers } = buildRequest('converse', { agent_id: 'a', message: {}, accept: 'text/event-stream' });
    expect(headers).toMatchObject({ accept: 'text/event-stream' });
    expect(headers).not.toHaveProperty('Accept');
  });

  it('names an operation that there is not', () => {
    expect(() => buildRequest('readNothing', {})).toThrow('There is no operation readNothing.');
  });
});

it('two operations of one name stop the build', () => {
  const owner = { read: { http: { group: 'admin', method: 'get', path: '/' } } };
  expect(() => operationsIn([owner, owner])).toThrow('Two operations are exported as read.');
});
