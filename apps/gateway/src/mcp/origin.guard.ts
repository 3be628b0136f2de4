/**
 * Which pages may call MCP servers from a browser: those of the public host, those that the operator allows, and local ones
 * when the public host is local; then `Host` is checked as well, against DNS rebinding. Programs that send no Origin pass.
 */
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { fail, type Failure } from '@tessera/failures';
import { settingsToken } from '@tessera/service-kit';
import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayConfiguration } from '../configuration.js';
import { FailureException } from '../http/catch-failures.js';
import { publicUrlOf } from '../http/exchange.js';

/** What keeps the request out, or nothing. */
type OriginCheck = (headers: IncomingHttpHeaders, publicUrl: string) => Failure | undefined;

@Injectable()
export class OriginGuard implements CanActivate {
  readonly #check: OriginCheck;

  constructor(@Inject(settingsToken) { MCP_ALLOWED_ORIGINS = [], CORS_ORIGINS = [] }: GatewayConfiguration) {
    this.#check = createOriginCheck([...MCP_ALLOWED_ORIGINS, ...CORS_ORIGINS]);
  }

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const refused = this.#check(request.headers, publicUrlOf(request));
    if (refused) throw new FailureException(refused);
    return true;
  }
}

const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** `allowed` are origins, and host names with whatever scheme and port. */
export const createOriginCheck = (allowed: readonly string[] = []): OriginCheck => {
  const words = allowed.map((word) => word.toLowerCase());
  const origins = new Set(words.filter((word) => word.includes('://')));
  const namesOf = (publicUrl: string) => {
    const name = URL.parse(publicUrl)?.hostname ?? '';
    const isLocal = localNames.includes(name);
    return { publicUrl, isLocal, names: new Set([...(name ? [name] : []), ...words, ...(isLocal ? localNames : [])]) };
  };
  let here = namesOf('');
  return ({ origin, host = '' }, publicUrl) => {
    if (here.publicUrl !== publicUrl) here = namesOf(publicUrl);
    const isAllowed = (page: string) => origins.has(page.toLowerCase()) || here.names.has(nameOf(page));
    if (origin !== undefined && !isAllowed(origin))
      return originRefused(`Pages of "${excerpt(origin)}" may not speak to MCP servers here.`);
    if (here.isLocal && !here.names.has(nameIn(host)))
      return originRefused(`MCP servers here are not called "${excerpt(host)}"; the public address is ${publicUrl}.`);
    return undefined;
  };
};

/** Of an origin; what is no address has none. */
const nameOf = (origin: string): string => URL.parse(origin)?.hostname ?? '';
/** Of a header Host: without the port. */
const nameIn = (host: string): string => host.replace(/:\d*$/, '').toLowerCase();

const excerpt = (text: string): string => text.slice(0, 100);

const originRefused = (detail: string): Failure => fail('MCP_ORIGIN_REFUSED', detail).failure;
