import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { ServedPaths } from './served-paths.js';

const served = new ServedPaths();
const server = fastify({ exposeHeadRoutes: true });
served.addHook(server);
const answer = () => '';
server.get('/info', answer);
server.get('/things/:id', answer);
server.put('/things/:id', answer);
server.post('/things/find', answer);
const http = { group: 'D', method: 'get', path: '/odata/{km}.svc/{record}_entries{key}' } as const;
server.get('/odata/:km(^.+?).svc/:record(^.+?)_entries:key', { config: { operation: { http } as never } }, answer);

const methodsAt = (path: string) => served.find(path)?.methods;

describe('what is served at a path', () => {
  it.each([
    ['/info', ['GET', 'HEAD']],
    ['/things/7', ['GET', 'HEAD', 'PUT']],
    ['/things/find', ['GET', 'HEAD', 'POST', 'PUT']],
    ["/odata/a.b.svc/X_entries('1')", ['GET', 'HEAD']],
    ['/odata/a.svc/my_entries_entries(1)', ['GET', 'HEAD']],
  ])('is known: %s', (path, methods) => expect(methodsAt(path)).toEqual(methods));

  it.each(['/', '/info/', '/things', '/things/', '/things/7/8', '/odata/.svc/X_entries(1)', '/odata/a.svc/X_entries'])(
    'is nothing: %s',
    (path) => expect(methodsAt(path)).toBeUndefined(),
  );

  it('is found with the binding of its operation', () => {
    expect(served.find('/odata/a.svc/X_entries(1)')?.http).toBe(http);
    expect(served.find('/info')).toEqual({ methods: ['GET', 'HEAD'] });
  });

  it('is found in linear time', () => {
    const startedMs = performance.now();
    for (let round = 0; round < 20; round++) served.find(`/odata/a.svc/${'_entries'.repeat(2_000)}`);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});
