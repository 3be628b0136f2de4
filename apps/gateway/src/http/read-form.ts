/** Bodies of forms (application/x-www-form-urlencoded). Never chooses between two values of one name. */
import type { FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { readBodyBytes, isCompressed } from './read-body.js';

const formType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Undefined when the body is no form in UTF-8. Rejects with a FailureException when it is too long or ends early. */
export const readForm = async (request: FastifyRequest): Promise<URLSearchParams | undefined> => {
  const { exchange, raw } = request;
  // What is JSON by its type was read before any route saw it.
  if (raw.readableEnded) return undefined;
  const bytes = await readBodyBytes(request);
  exchange.bodyBytes = bytes.length;
  if (!formType.test(exchange.contentType ?? '') || isCompressed(request) || !isUtf8(bytes)) return undefined;
  return new URLSearchParams(bytes.toString());
};

/** The value of a name; undefined when it is not there or empty, as OAuth has it. */
export const getFormValue = (form: URLSearchParams, name: string): string | undefined => form.get(name) || undefined;

/** The first name that is there more than once, apart from those that may be. */
export const findRepeatedName = (form: URLSearchParams, repeatable: readonly string[] = []): string | undefined =>
  [...form.keys()].find((name) => !repeatable.includes(name) && form.getAll(name).length > 1);
