/** An operation and its input as a request of HTTP: which member travels where is what the contract says. */
import { bindingOf, type Binding } from './operations.js';

export type BuiltRequest = {
  /** Path and query, from the root of the origin. */
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** What writes needs it, and with it a browser never asks for name and password by itself. */
const pageHeaders = { 'X-Tessera-Request': '1' };

/** Browsers take such a segment for a step in the path, however it is escaped. */
const isStep = (text: string): boolean => text === '.' || text === '..';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Throws when a member of the path is missing, empty, or cannot stand in an address. */
export const buildRequest = (name: string, input: Readonly<Record<string, unknown>>): BuiltRequest => {
  const binding = bindingOf(name);
  const { method, body, headers = {} } = binding;
  const used = new Set<string>(body === undefined ? [] : [body]);
  const path = fillPath(name, binding, input, used);
  const sent: Record<string, string> = { Accept: 'application/json', ...pageHeaders };
  for (const [member, header] of Object.entries(headers)) {
    used.add(member);
    if (input[member] === undefined) continue;
    if (header.toLowerCase() === 'accept') delete sent['Accept'];
    sent[header] = textOf(input[member]);
  }
  const query = new URLSearchParams();
  for (const [member, value] of Object.entries(input)) if (!used.has(member)) addToQuery(query, member, value);
  const content = body === undefined ? undefined : input[body];
  if (content !== undefined) sent['Content-Type'] = 'application/json';
  const search = query.toString();
  return {
    path: search === '' ? path : `${path}?${search}`,
    method: method.toUpperCase(),
    headers: sent,
    body: content === undefined ? undefined : typeof content === 'string' ? content : JSON.stringify(content),
  };
};

const fillPath = (
  name: string,
  { path }: Binding,
  input: Readonly<Record<string, unknown>>,
  used: Set<string>,
): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, member: string) => {
    used.add(member);
    const value = input[member];
    const text = value === undefined ? '' : textOf(value);
    if (text === '' || isStep(text)) throw new Error(`${name}: "${text}" cannot stand in an address as ${member}.`);
    return encodeURIComponent(text);
  });

/** Lists are repeated, the members of an object are parameters of their own. */
const addToQuery = (query: URLSearchParams, member: string, value: unknown): void => {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const each of value) query.append(member, textOf(each));
  else if (typeof value === 'object') for (const [name, inner] of Object.entries(value)) addToQuery(query, name, inner);
  else query.append(member, textOf(value));
};
