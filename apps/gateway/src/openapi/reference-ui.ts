/** Swagger UI at /docs, from files of the package: no other host is asked. It reads /openapi.json when it is opened. */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { productVersion } from '@tessera/service-kit';
import { noSuchPath } from '../http/catch-failures.js';
import { sendFailure } from '../http/send-failure.js';

const title = 'Tessera';
/** The UI takes the address when the document that it was given is empty. */
const placeholder = { openapi: '3.1.0', info: { title, version: productVersion }, paths: {} };

const assetPath = /^\/docs\/(?=.)/;
/** Names of the files that the page is made of; nothing else of their folder is there, nor anything beside it. */
const fileShape = /^\/docs\/[A-Za-z0-9][A-Za-z0-9-]{0,63}\.(?:js|css|html|png)$/;

export const addReferenceUi = (app: NestFastifyApplication): void => {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, done) => {
      const { path } = request.exchange;
      if (assetPath.test(path) && !fileShape.test(path)) return sendFailure(request, reply, noSuchPath(request));
      done();
    });
  SwaggerModule.setup('docs', app, placeholder, {
    customSiteTitle: title,
    raw: false,
    swaggerOptions: { spec: {}, url: '/openapi.json', persistAuthorization: true },
  });
};
