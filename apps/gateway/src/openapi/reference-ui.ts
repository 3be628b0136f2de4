/**
 * Swagger UI at /docs, from files of the package: no other host is asked. It reads /openapi.json when it is opened. Nothing of
 * the page runs or is styled but by these files, and the key that a reader types is forgotten with the page.
 */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import swaggerUi from 'swagger-ui-dist/package.json' with { type: 'json' };
import { prepareDocument, sendPreparedDocument, type PreparedDocument } from '../prepared-document.js';

const { version } = swaggerUi;
const uiFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

/** The badge of the validator would send the document to a host of its maker. */
const startScript = `window.ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: new URL('../openapi.json', document.currentScript.src).href,
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** Addresses are relative: they hold behind every address that leads here. */
const pageAt = (folder: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Tessera</title>
<link rel="icon" type="image/png" href="${folder}/${version}/favicon-32x32.png">
<link rel="stylesheet" href="${folder}/${version}/swagger-ui.css">
<div id="swagger-ui"></div>
<script src="${folder}/${version}/swagger-ui-bundle.js"></script>
<script src="${folder}/start.js"></script>
</html>
`;

const contentSecurityPolicy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

export const addReferenceUi = (fastify: FastifyInstance): void => {
  for (const [path, folder] of [
    ['/docs', './docs'],
    ['/docs/', '.'],
  ] as const)
    fastify.get(path, (_request, reply) =>
      reply
        .headers({ 'cache-control': 'no-cache', 'content-security-policy': contentSecurityPolicy })
        .type('text/html; charset=utf-8')
        .send(pageAt(folder)),
    );
  fastify.get('/docs/start.js', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(startScript),
  );
  for (const file of uiFiles) {
    let document: Promise<PreparedDocument> | undefined;
    fastify.get(`/docs/${version}/${file}`, async (request, reply) => {
      document ??= readFile(new URL(file, import.meta.resolve('swagger-ui-dist/package.json'))).then((content) =>
        prepareDocument(contentTypes[extname(file)] ?? '', content),
      );
      return sendPreparedDocument(request, reply, await document, 'public, max-age=31536000, immutable');
    });
  }
};
