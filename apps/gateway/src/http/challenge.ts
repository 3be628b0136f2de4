/**
 * The header WWW-Authenticate: which credentials are taken, and for MCP where to get one and what it lacks.
 * Refuses: to tell a wrong credential from a missing one.
 */
import type { FastifyRequest } from 'fastify';
import { metadataUrlOf } from '../mcp/protected-resource.js';

const realm = 'realm="tessera"';
const keys = `AppKey ${realm}`;
const plain = `Bearer ${realm}, ${keys}`;

export const challengeOf = (request: FastifyRequest, status: number): string | undefined => {
  if (status !== 401 && status !== 403) return undefined;
  const { operation, frame } = request.exchange;
  if (!operation?.http.isMcp) return status === 401 ? plain : undefined;
  const where = `resource_metadata="${metadataUrlOf(request, operation.http)}"`;
  if (status === 401) return `Bearer ${realm}, ${where}, ${keys}`;
  if (frame === undefined || frame.caller.scopes.includes(operation.scope)) return undefined;
  return `Bearer ${realm}, error="insufficient_scope", scope="${operation.scope}", ${where}`;
};
