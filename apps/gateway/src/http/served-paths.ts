/** The paths that are served, with their methods: for preflights, and for methods that a path does not take. */
import type { HttpBinding } from '@tessera/contracts';
import type { FastifyInstance } from 'fastify';

/** A segment of a template as the texts around its members: one text has none. */
type Segment = readonly string[];

export type ServedPath = {
  readonly methods: readonly string[];
  /** How an operation is bound there; absent where the path is none of an operation. */
  readonly http?: HttpBinding;
};

type Template = {
  readonly segments: readonly Segment[];
  readonly methods: Set<string>;
  http?: HttpBinding | undefined;
};

export class ServedPaths {
  readonly #templates = new Map<string, Template>();

  /** Before the routes are there: it has to know their methods. */
  addHook(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url, config }) => {
      const http = config?.operation?.http;
      const path = http?.path ?? url;
      const known = this.#templates.get(path) ?? { segments: segmentsOf(path), methods: new Set(), http };
      for (const each of [method].flat()) known.methods.add(each);
      this.#templates.set(path, known);
    });
  }

  /** Undefined where nothing is served. */
  find(path: string): ServedPath | undefined {
    const segments = path.split('/');
    const found = [...this.#templates.values()].filter((template) => isAt(segments, template.segments));
    const [http] = found.flatMap((template) => template.http ?? []);
    const methods = [...new Set(found.flatMap((template) => [...template.methods]))].toSorted();
    return found.length === 0 ? undefined : { methods, ...(http && { http }) };
  }
}

/** A member in braces, as contracts have it, or one of a route that begins with a colon. */
const segmentsOf = (path: string): readonly Segment[] =>
  path.split('/').map((segment) => segment.split(/\{\w+\}|:\w+|\*/));

const isAt = (segments: readonly string[], template: readonly Segment[]): boolean =>
  segments.length === template.length && template.every((texts, index) => fits(segments[index] ?? '', texts));

/** Members are not empty. Each text is looked for once. */
const fits = (segment: string, [first = '', ...texts]: Segment): boolean => {
  if (texts.length === 0) return segment === first;
  if (!segment.startsWith(first)) return false;
  const last = texts.at(-1) ?? '';
  let at = first.length;
  for (const text of texts.slice(0, -1)) {
    const found = segment.indexOf(text, at + 1);
    if (found < 0) return false;
    at = found + text.length;
  }
  return segment.endsWith(last) && segment.length - last.length > at;
};
