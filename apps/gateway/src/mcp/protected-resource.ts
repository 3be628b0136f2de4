/** Metadata of protected resources for MCP clients (RFC 9728): public, and the same for every asset, existing or not. */
import { fillPath, type HttpBinding, type Scope } from '@tessera/contracts';
import { exchangeMcp } from '@tessera/contracts/tool-gateway';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { publicUrlOf } from '../http/exchange.js';
import { nestPathOf } from '../http/router-path.js';

const wellKnown = '/.well-known/oauth-protected-resource';

/** What tools may ask for beside their own scope, by the data that they read. */
const scopes: readonly Scope[] = [exchangeMcp.scope, 'knowledge-models:read', 'content:read'];

export const addProtectedResource = (fastify: FastifyInstance, issuer: string | undefined): void => {
  const servers = issuer !== undefined && URL.canParse(issuer) ? { authorization_servers: [issuer] } : {};
  const documentOf = (request: FastifyRequest, path: string) => ({
    resource: `${publicUrlOf(request)}${path}`,
    ...servers,
    bearer_methods_supported: ['header'],
    scopes_supported: scopes,
    resource_name: 'Tessera agent tools',
  });
  fastify.get(`${wellKnown}${nestPathOf(exchangeMcp.http.path)}`, (request, reply) =>
    reply.header('cache-control', 'no-cache').send(documentOf(request, pathOf(exchangeMcp.http, request))),
  );
  fastify.get(wellKnown, (request, reply) => reply.header('cache-control', 'no-cache').send(documentOf(request, '')));
};

/** Where the document about the endpoint of this request is. */
export const metadataUrlOf = (request: FastifyRequest, http: HttpBinding): string =>
  `${publicUrlOf(request)}${wellKnown}${pathOf(http, request)}`;

const pathOf = (http: HttpBinding, { params }: FastifyRequest): string =>
  fillPath(http, (member) => encodeURIComponent(String(Reflect.get(Object(params), member))));

/** Endpoints of MCP servers, for requests that no route takes. */
const endpoint = new RegExp(`^${fillPath(exchangeMcp.http, () => '[^/]+')}$`);

export const isMcpPath = (path: string): boolean => endpoint.test(path);
