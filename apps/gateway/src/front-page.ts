/**
 * `GET /`: browsers go on to the console, programs get the addresses of everything as JSON. Public, and the same for everybody: it
 * says nothing of teams, and nothing that /openapi.json does not.
 */
import { qualityOf, parseMediaRanges } from '@tessera/contracts';
import { agentsPrefix } from '@tessera/contracts/agents';
import { listFacets } from '@tessera/contracts/content-repo';
import { modelsPrefix, readODataService } from '@tessera/contracts/knowledge-models';
import { exchangeMcp } from '@tessera/contracts/tool-gateway';
import type { FastifyInstance } from 'fastify';
import { publicUrlOf } from './http/exchange.js';

/** Those in braces are to be filled in; from `content` on they want a credential. */
const addresses = {
  console: '/console/',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/health/ready',
  content: listFacets.http.path,
  knowledgeModels: modelsPrefix,
  odata: readODataService.http.path,
  mcp: exchangeMcp.http.path,
  agents: agentsPrefix,
};

/** A page has to be asked for by its name, and JSON not more: programs that take everything get JSON. */
const prefersPage = (accept: string | undefined): boolean => {
  const ranges = parseMediaRanges(accept ?? '*/*');
  const [json, html] = ['application/json', 'text/html'].map((type) => qualityOf(type, ranges));
  if (html === undefined || html.quality === 0) return false;
  if (json === undefined || html.quality !== json.quality) return html.quality > (json?.quality ?? 0);
  return html.specificity > json.specificity;
};

export const addFrontPage = (fastify: FastifyInstance): void => {
  fastify.get('/', (request, reply) => {
    void reply.header('cache-control', 'no-cache').header('vary', 'accept');
    // Relative: it holds behind every address that leads here.
    if (prefersPage(request.headers.accept)) return reply.header('location', './console/').code(302).send();
    const from = publicUrlOf(request);
    const absolute = Object.entries(addresses).map(([name, path]) => [name, `${from}${path}`]);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(Object.fromEntries(absolute)));
  });
};
