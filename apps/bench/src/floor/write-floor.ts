/**
 * The floor of writes: Fastify and pg replay in one transaction the statements that the product sent to make a version, with the
 * identifiers, number and instant of another one, and answer the text that was read last.
 */
import { randomUUID } from 'node:crypto';
import { fastify } from 'fastify';
import type pg from 'pg';
import { serveAsChild } from '../child.js';
import type { Transaction } from '../product/product.js';
import { publicUrlPlaceholder } from './documents.js';
import { openPool } from './statements.js';

/** An element, its released version and the content of that. */
export type WrittenElement = {
  readonly elementId: string;
  readonly versionId: string;
  readonly contentIds: readonly string[];
};

/** Values that the change made, or was given by the database. */
export type CreatedVersion = {
  readonly versionId: string;
  readonly contentIds: readonly string[];
  /** The number of the change. */
  readonly sequence: string;
  /** To the millisecond, without a zone: it stands in texts with one and without. */
  readonly changedAt: string;
};

export type WriteFloorOptions = {
  readonly databaseUrl: string;
  /** The address that answers name. */
  readonly publicUrl: string;
  readonly recorded: Transaction;
  readonly of: readonly [WrittenElement, CreatedVersion];
  readonly elements: readonly WrittenElement[];
};

/** The columns of the statement by which a change begins. */
type StartedChange = { readonly newId: string; readonly sequence: string; readonly changedAt: Date };
type Row = Partial<StartedChange> & Readonly<Record<string, unknown>>;

/** Values that differ between replays, in a fixed order. The number is replaced as a whole parameter only: it is too short to be searched for. */
const variablesOf = (element: WrittenElement, made: CreatedVersion): readonly string[] => [
  `"${made.sequence}"`,
  made.changedAt,
  made.versionId,
  element.elementId,
  element.versionId,
  ...element.contentIds,
  ...made.contentIds,
];

serveAsChild(({ databaseUrl, publicUrl, recorded, of, elements }: WriteFloorOptions) => {
  const pool = openPool(databaseUrl);
  const byId = new Map(elements.map((element) => [element.elementId, element]));
  const places = new Map(variablesOf(...of).map((text, index) => [text, index]));
  const pattern = new RegExp([...places.keys()].join('|'), 'g');
  const fill = (values: readonly (string | null)[], element: WrittenElement, made: CreatedVersion) => {
    const variables = variablesOf(element, made);
    const own = (text: string): string => variables[places.get(text) ?? -1] ?? text;
    return values.map((value) => (value === of[1].sequence ? made.sequence : (value?.replace(pattern, own) ?? null)));
  };
  const replay = async (client: pg.PoolClient, element: WrittenElement): Promise<string> => {
    let made: CreatedVersion = { versionId: '', contentIds: [], sequence: '', changedAt: '' };
    let lastText: unknown;
    for (const { name, text, values } of recorded) {
      const config = { text, ...(name && { name }), ...(values && { values: fill(values, element, made) }) };
      const [row] = (await client.query<Row>(config)).rows;
      if (row?.newId && row.sequence && row.changedAt) {
        const contentIds = element.contentIds.map(() => randomUUID());
        const changedAt = row.changedAt.toISOString().slice(0, -1);
        made = { versionId: row.newId, sequence: row.sequence, changedAt, contentIds };
      }
      if (row) lastText = Object.values(row).at(-1);
    }
    return String(lastText).replaceAll(publicUrlPlaceholder, publicUrl);
  };
  const app = fastify();
  const path = '/:collection/:storage/_api/rest/release/:id/createversion';
  app.post<{ readonly Params: { readonly id: string } }>(path, async ({ params }, reply) => {
    const element = byId.get(params.id);
    if (!element) return reply.code(404).send({ message: 'There is nothing at this address.' });
    const client = await pool.connect();
    try {
      const text = await replay(client, element);
      client.release();
      return await reply
        .type('application/json; charset=utf-8')
        .send(`{"count":1,"elements":[${text}],"values":[${text}]}`);
    } catch (error) {
      client.release(true);
      throw error;
    }
  });
  return app.listen({ host: '127.0.0.1', port: 0 });
});
