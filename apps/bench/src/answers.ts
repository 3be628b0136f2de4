/** Answers that are read and compared before anything is measured: product and floor must do the same work. */
import { isDeepStrictEqual } from 'node:util';

export type Place = {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Stands before every path. */
  readonly prefix: string;
};

type Sent = { readonly method?: 'POST' | 'PUT'; readonly body?: string; readonly headers?: Place['headers'] };

/** The text of an answer 200; any other rejects. */
export const readText = async ({ origin, headers, prefix }: Place, path: string, sent: Sent = {}): Promise<string> => {
  const { method = sent.body === undefined ? 'GET' : 'POST', body } = sent;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(origin + prefix + path, {
    method,
    headers: { ...headers, ...type, ...sent.headers },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${origin}${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return text;
};

export const parseJson = <T>(text: string): T => JSON.parse(text) as T;

export const readJson = async <T>(place: Place, path: string, sent?: Sent): Promise<T> =>
  parseJson<T>(await readText(place, path, sent));

/** The first place where two documents differ, as a path; undefined when they are equal. */
export const findFirstDifference = (left: unknown, right: unknown, at = ''): string | undefined => {
  if (isDeepStrictEqual(left, right)) return undefined;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return `${at}: ${JSON.stringify(left)} and ${JSON.stringify(right)}`;
  const [one, other] = [new Map(Object.entries(left)), new Map(Object.entries(right))];
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const difference = findFirstDifference(one.get(key), other.get(key), `${at}/${key}`);
    if (difference !== undefined) return difference;
  }
  return `${at}: order or form`;
};

/** Rejects when the two differ. */
export const expectSame = (what: string, floor: unknown, product: unknown): void => {
  const difference = findFirstDifference(floor, product);
  if (difference !== undefined) throw new Error(`Product and floor differ at ${what}${difference.slice(0, 500)}`);
};

/** The values of the rows in their order, since the floor names them by columns. */
const valuesOf = ({ content }: { readonly content: readonly object[] }): readonly (readonly unknown[])[] =>
  content.map((row): unknown[] => Object.values(row));

/** Rejects when the two answer other rows of a knowledge model. */
export const compareRows = async (floor: Place, product: Place, paths: readonly string[]): Promise<void> => {
  for (const path of paths)
    expectSame(path, valuesOf(await readJson(floor, path)), valuesOf(await readJson(product, path)));
};
