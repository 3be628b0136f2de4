/** Metadata of protected resources for MCP clients (RFC 9728): public, and the same for every asset, existing or not. */
import { fillPath, type HttpBinding, type Operation } from '@tessera/contracts';
import { exchangeMcp } from '@tessera/contracts/tool-gateway';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { publicUrlOf } from '../http/exchange.js';
import { toNestPath } from '../http/router-path.js';

const wellKnown = '/.well-known/oauth-protected-resource';

/** What tools may ask for beside their own scope, by the data that they read. */
export const resourceScopes: readonly Operation['scope'][] = [
  exchangeMcp.scope,
  'knowledge-models:read',
  'content:read',
];

/** `foreignIssuer`: of the operator, who may call it by any text; without one clients come to the public address. */
export const addProtectedResourceMetadata = (fastify: FastifyInstance, foreignIssuer: string | undefined): void => {
  const documentOf = (request: FastifyRequest, path: string, issuer = foreignIssuer ?? publicUrlOf(request)) => ({
    resource: `${publicUrlOf(request)}${path}`,
    ...(URL.canParse(issuer) && { authorization_servers: [issuer] }),
    bearer_methods_supported: ['header'],
    scopes_supported: resourceScopes,
    resource_name: 'Tessera agent tools',
  });
  fastify.get(`${wellKnown}${toNestPath(exchangeMcp.http.path)}`, (request, reply) =>
    reply.header('cache-control', 'no-cache').send(documentOf(request, pathOf(exchangeMcp.http, request))),
  );
  fastify.get(wellKnown, (request, reply) => reply.header('cache-control', 'no-cache').send(documentOf(request, '')));
};

/** The address of the endpoint of this request, by which tokens name it as their resource (RFC 8707). */
export const resourceUrlOf = (request: FastifyRequest, http: HttpBinding): string =>
  `${publicUrlOf(request)}${pathOf(http, request)}`;

/** Where the document about the endpoint of this request is. */
export const resourceMetadataUrlOf = (request: FastifyRequest, http: HttpBinding): string =>
  `${publicUrlOf(request)}${wellKnown}${pathOf(http, request)}`;

const pathOf = (http: HttpBinding, { params }: FastifyRequest): string =>
  fillPath(http, (member) => encodeURIComponent(String(Reflect.get(Object(params), member))));

const endpointPath = fillPath(exchangeMcp.http, () => '[^/]+');
const endpointPattern = new RegExp(`^${endpointPath}$`);

/** Whether a token may be for it alone: written as we write it, so that it equals the address of a request. */
export const isMcpEndpointUrl = (url: string, publicUrl: string): boolean => {
  const path = url.startsWith(publicUrl) ? url.slice(publicUrl.length) : '';
  if (!endpointPattern.test(path)) return false;
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return encodeURIComponent(decodeURIComponent(name)) === name;
  } catch {
    return false;
  }
};

/** Audiences of tokens for one endpoint alone, of this installation or of another. */
export const mcpResourcePattern = new RegExp(`^https?://[^/]+${endpointPath}$`);
