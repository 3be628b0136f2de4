/**
 * Swagger UI at /docs, from files of the package: no other host is asked. It reads /openapi.json when it is opened.
 * Refuses: to change the document, and to hold a second one.
 */
import type { INestApplication } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import { productVersion } from '@tessera/service-kit';

const title = 'Tessera';
/** The UI takes the address when the document that it was given is empty. */
const placeholder = { openapi: '3.1.0', info: { title, version: productVersion }, paths: {} };

export const addReferenceUi = (app: INestApplication): void => {
  SwaggerModule.setup('docs', app, placeholder, {
    customSiteTitle: title,
    raw: false,
    swaggerOptions: { spec: {}, url: '/openapi.json', persistAuthorization: true },
  });
};
