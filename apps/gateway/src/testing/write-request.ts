/** Requests with every member that an operation has, each in its place, and what its service gets of them. */
import type { HttpOperation } from '@tessera/contracts';

/** Member of a request -> how a client writes it, and what the service gets. What is not named is a text. */
export type RequestParameterSamples = Readonly<
  Record<string, { readonly text: string; readonly value: unknown; readonly name?: string }>
>;

export const buildRequestWithMembers = (
  { request, http }: HttpOperation,
  written: RequestParameterSamples,
  document: unknown,
) => {
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  const expected: Record<string, unknown> = {};
  let path = http.path;
  for (const name of Object.keys(request.shape)) {
    const { text, value, name: parameter = name } = written[name] ?? { text: `a-${name}`, value: `a-${name}` };
    const header = http.headers?.[name];
    expected[name] = name === http.body ? document : value;
    if (name === http.body) continue;
    if (header !== undefined) headers[header] = text;
    else if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, text);
    else query.set(parameter, text);
  }
  const body = http.body === undefined ? {} : { body: document };
  return {
    path: `${path}?${query.toString()}`,
    options: { method: http.method.toUpperCase(), headers, ...body },
    expected,
  };
};
