/**
 * The answer of a foreign system as the value of a tool: JSON as it is, a text as a text, nothing as an empty object.
 * Refuses: answers that are no success. Only their status is told: what they say is between the systems.
 */
import type { Exchanged } from './exchange.js';

export type ReadAnswer =
  | { readonly ok: true; readonly value: unknown }
  /** `why` continues "The foreign system ...". */
  | { readonly ok: false; readonly why: string };

/** Deeper values cannot be written again. */
const depthMax = 64;

export const readAnswer = (answer: Exchanged): ReadAnswer => {
  if (answer.kind === 'failed') return { ok: false, why: answer.why };
  const { status, contentType, body } = answer;
  if (status >= 300 && status < 400)
    return { ok: false, why: `answered with a redirect (status ${status}), which is not followed` };
  if (status < 200 || status >= 300) return { ok: false, why: `answered with status ${status}` };
  if (body.length === 0) return { ok: true, value: {} };
  const text = textOf(body);
  if (text === undefined) return { ok: false, why: 'answered with neither JSON nor a text in UTF-8' };
  if (text.trim() === '') return { ok: true, value: {} };
  return isJson(contentType) ? jsonOf(text) : { ok: true, value: text };
};

/** Whether the failure is one of the system, and not one of what it was asked. */
export const isFailureOfSystem = (answer: Exchanged): boolean =>
  answer.kind === 'failed' || answer.status >= 500 || answer.status === 429;

export const isJson = (contentType: string): boolean =>
  /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);

const textOf = (body: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
};

const jsonOf = (text: string): ReadAnswer => {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(value, depthMax)
      ? { ok: false, why: `answered JSON of more than ${depthMax} levels` }
      : { ok: true, value };
  } catch {
    return { ok: false, why: 'said that it answers JSON, and did not' };
  }
};

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1)));
