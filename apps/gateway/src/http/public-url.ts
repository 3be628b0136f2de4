/**
 * Scheme, host and port that callers use. Configuration decides; behind a trusted proxy the forwarded host and scheme do.
 * Refuses: the header Host of a caller, which could put any address into our answers.
 */
import type { FastifyRequest } from 'fastify';

const hostShape = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,253})|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/;

export const publicUrlOf = (request: FastifyRequest): string => {
  const { edge } = request.exchange;
  if (!edge.forwardedCounts || request.headers['x-forwarded-host'] === undefined) return edge.publicUrl;
  // Fastify answers the forwarded host only when the peer is a trusted proxy.
  const { host, protocol } = request;
  if (host === request.headers.host || !hostShape.test(host)) return edge.publicUrl;
  return `${protocol === 'https' ? 'https' : 'http'}://${host}`;
};
