/** Forms (application/x-www-form-urlencoded), of bodies and of queries. Never chooses between two values of one name. */
import { fail } from '@tessera/failures';
import type { FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { FailureException } from './catch-failures.js';
import { readBodyBytes, isCompressed } from './read-body.js';

const formType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** More than any form or request of ours or of OAuth has. */
export const formFieldsMax = 64;

/** Throws a FailureException for more fields than a form may have. */
export const parseForm = (text: string): URLSearchParams => {
  if (text.split('&', formFieldsMax + 1).length > formFieldsMax) throw new FailureException(tooManyFields);
  return new URLSearchParams(text);
};

const { failure: tooManyFields } = fail(
  'GENERAL_BODY_MALFORMED',
  `A form or a query has at most ${formFieldsMax} fields.`,
);

/** Undefined when the body is no form in UTF-8. Rejects with a FailureException when it is too long or ends early. */
export const readForm = async (request: FastifyRequest): Promise<URLSearchParams | undefined> => {
  const { exchange, raw } = request;
  // What is JSON by its type was read before any route saw it.
  if (raw.readableEnded) return undefined;
  const bytes = await readBodyBytes(request);
  exchange.bodyBytes = bytes.length;
  if (!formType.test(exchange.contentType ?? '') || isCompressed(request) || !isUtf8(bytes)) return undefined;
  return parseForm(bytes.toString());
};

/** The value of a name; undefined when it is not there or empty, as OAuth has it. */
export const getFormValue = (form: URLSearchParams, name: string): string | undefined => form.get(name) || undefined;

/** The first name that is there again, apart from those that may be. */
export const findRepeatedName = (form: URLSearchParams, repeatable: readonly string[] = []): string | undefined => {
  const seen = new Set<string>();
  for (const name of form.keys()) {
    if (seen.has(name) && !repeatable.includes(name)) return name;
    seen.add(name);
  }
  return undefined;
};
