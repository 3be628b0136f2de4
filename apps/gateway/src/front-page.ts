/**
 * `GET /`: where everything is, as a page, or as JSON for who prefers that. Public, and the same for everybody: it says nothing
 * of teams, and nothing that /openapi.json does not.
 */
import { createHash } from 'node:crypto';
import { qualityOf, readMediaRanges } from '@tessera/contracts';
import { agentsPrefix } from '@tessera/contracts/agents';
import { listFacets } from '@tessera/contracts/content-repo';
import { modelsPrefix, readODataService } from '@tessera/contracts/knowledge-models';
import { exchangeMcp } from '@tessera/contracts/tool-gateway';
import type { FastifyInstance } from 'fastify';
import { publicUrlOf } from './http/exchange.js';

const pages = {
  docs: { path: '/docs', means: 'every operation, to read and to try' },
  openapi: { path: '/openapi.json', means: 'the same for generators of clients' },
  health: { path: '/health/ready', means: 'whether requests are answered' },
};

/** They want a credential; what is in braces is to be filled in. */
const interfaces = {
  content: listFacets.http.path,
  knowledgeModels: modelsPrefix,
  odata: readODataService.http.path,
  mcp: exchangeMcp.http.path,
  agents: agentsPrefix,
};

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}code{overflow-wrap:anywhere}';

/** Links are relative: they hold behind every address that leads here. */
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Tessera</title>
<style>${style}</style>
<h1>Tessera</h1>
<ul>
${Object.entries(pages)
  .map(([name, { path, means }]) => `<li><a href="${path.slice(1)}">${name}</a>: ${means}</li>`)
  .join('\n')}
</ul>
<h2>Interfaces</h2>
<p>With an API key in the header <code>AppKey</code>, or a bearer token.</p>
<ul>
${Object.entries(interfaces)
  .map(([name, path]) => `<li>${name}: <code>${path}</code></li>`)
  .join('\n')}
</ul>
</html>
`;

/** Nothing but the style above is taken, from nowhere. */
const security = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

const prefersJson = (accept: string | undefined): boolean => {
  const ranges = readMediaRanges(accept ?? '*/*');
  const [json, html] = ['application/json', 'text/html'].map((type) => qualityOf(type, ranges));
  if (json === undefined || html === undefined) return json !== undefined;
  return json.quality === html.quality ? json.specificity > html.specificity : json.quality > html.quality;
};

export const addFrontPage = (fastify: FastifyInstance): void => {
  fastify.get('/', (request, reply) => {
    void reply.header('cache-control', 'no-cache').header('vary', 'accept');
    if (!prefersJson(request.headers.accept))
      return reply.type('text/html; charset=utf-8').header('content-security-policy', security).send(page);
    const from = publicUrlOf(request);
    const addresses = Object.entries({
      ...Object.fromEntries(Object.entries(pages).map(([name, { path }]) => [name, path])),
      ...interfaces,
    }).map(([name, path]) => [name, `${from}${path}`]);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(Object.fromEntries(addresses)));
  });
};
