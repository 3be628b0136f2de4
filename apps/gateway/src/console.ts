/**
 * The console at `/console/`: files of a build, read once when the gateway starts. Addresses of pages, which the console itself
 * knows, get its one page; nothing of it needs a credential or tells anything of a team.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNoneMatch } from '@tessera/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createPathNotFoundFailure } from './http/catch-failures.js';
import { sendFailure } from './http/send-failure.js';
import { weightOf } from './http/send-reply.js';

type ConsoleFile = {
  readonly contentType: string;
  readonly etag: string;
  readonly content: Buffer;
  /** By the coding that browsers name, the smallest first. */
  readonly coded: readonly (readonly [coding: 'br' | 'gzip', content: Buffer])[];
};

/** Relative paths with forward slashes. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const packageName = '@tessera/console';
/** Where the build of this installation is. */
export const builtConsole = (): string =>
  join(fileURLToPath(import.meta.resolve(`${packageName}/package.json`)), '..', 'dist');

const page = 'index.html';
const prefix = '/console/';
const assets = 'assets/';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Reads a build. Rejects when there is none; what has a type that the console does not use is left out. */
export const readConsole = async (folder: string): Promise<ConsoleFiles> => {
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const all = new Set(names);
  if (!all.has(page)) throw new Error(`There is no console in ${folder}; "npm run build" makes it.`);
  const served = names.filter((name) => !name.startsWith('.') && contentTypes[extname(name)] !== undefined);
  const read = async (name: string): Promise<readonly [string, ConsoleFile]> => {
    const content = await readFile(join(folder, name));
    const coded: ConsoleFile['coded'][number][] = [];
    if (all.has(`${name}.br`)) coded.push(['br', await readFile(join(folder, `${name}.br`))]);
    if (all.has(`${name}.gz`)) coded.push(['gzip', await readFile(join(folder, `${name}.gz`))]);
    const etag = `W/"${createHash('sha256').update(content).digest('base64url')}"`;
    return [name, { contentType: contentTypes[extname(name)] ?? '', etag, content, coded }];
  };
  return new Map(await Promise.all(served.map(read)));
};

/** Scripts and styles are files of the console, and nothing is asked of any other host. */
const contentSecurityPolicy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'", "connect-src 'self'"],
  ...["worker-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
].join('; ');

const lasting = 'public, max-age=31536000, immutable';

/** All below the prefix, but for storages of a collection that is called as the console is: these are the content repository's. */
const partOfPage = ':part(^(?!_api$)[^/]*$)';
const pagePaths = ['', ':page', `:page/${partOfPage}`, `:page/${partOfPage}/*`].map((path) => prefix + path);

export const addConsole = (fastify: FastifyInstance, files: ConsoleFiles): void => {
  fastify.get('/console', (_request, reply) => reply.header('location', './console/').code(308).send());
  const send = (request: FastifyRequest, reply: FastifyReply) => {
    const name = request.exchange.path.slice(prefix.length);
    const isAsset = name.startsWith(assets);
    const file = files.get(name) ?? (isAsset ? undefined : files.get(page));
    if (file === undefined) return sendFailure(request, reply, createPathNotFoundFailure(request));
    return sendFile(request, reply, file, isAsset ? lasting : 'no-cache');
  };
  for (const url of pagePaths) fastify.get(url, send);
};

const sendFile = (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { contentType, etag, content, coded }: ConsoleFile,
  cacheControl: string,
): FastifyReply => {
  void reply.headers({
    ...{ 'cache-control': cacheControl, etag, vary: 'Accept-Encoding' },
    ...{ 'content-security-policy': contentSecurityPolicy, 'cross-origin-opener-policy': 'same-origin' },
    'referrer-policy': 'same-origin',
  });
  if (!isNoneMatch(headers['if-none-match'], etag)) return reply.code(304).send();
  void reply.type(contentType);
  const weight = weightOf(headers['accept-encoding']?.toString());
  const [coding, body] = coded.find(([name]) => weight(name) > 0 && weight(name) >= weight('identity')) ?? [];
  return body === undefined ? reply.send(content) : reply.header('content-encoding', coding).send(body);
};
