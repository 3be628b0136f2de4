/**
 * The write floor: Fastify and pg; replays the product's statements in one transaction and returns the text of the last
 * read.
 */
import { randomUUID } from 'node:crypto';
import { fastify, type FastifyInstance } from 'fastify';
import pg from 'pg';
import { publicUrlPlaceholder } from './documents.js';
import { fillValues, type CreatedVersion, type ReplayedElement, type TemplateStatement } from './replay.js';

export type WriteFloorOptions = {
  readonly databaseUrl: string;
  /** The address that answers name. */
  readonly publicUrl: string;
  readonly template: readonly TemplateStatement[];
  readonly elements: readonly ReplayedElement[];
};

const connectionsMax = 10;
const path = '/:collection/:storage/_api/rest/release/:id/createversion';

export const createWriteFloorServer = ({
  databaseUrl,
  publicUrl,
  template,
  elements,
}: WriteFloorOptions): FastifyInstance => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connectionsMax });
  const byId = new Map(elements.map((element) => [element.elementId, element]));
  const app = fastify();
  app.post<{ readonly Params: { readonly id: string } }>(path, async ({ params }, reply) => {
    const element = byId.get(params.id);
    if (!element) return reply.code(404).send({ message: 'There is nothing at this address.' });
    const text = (await replay(pool, template, element)).replaceAll(publicUrlPlaceholder, publicUrl);
    return reply.type('application/json; charset=utf-8').send(`{"count":1,"elements":[${text}],"values":[${text}]}`);
  });
  app.addHook('onClose', () => pool.end());
  return app;
};

/** Answers the text that was read last. */
const replay = async (
  pool: pg.Pool,
  template: readonly TemplateStatement[],
  element: ReplayedElement,
): Promise<string> => {
  const client = await pool.connect();
  let created: CreatedVersion = { versionId: '', contentIds: [], sequence: '', changedAt: new Date(0) };
  let lastText: unknown;
  try {
    for (const statement of template) {
      const { name, text } = statement;
      const values = statement.values && fillValues(statement, element, created);
      const { rows } = await client.query<Partial<StartedTransaction>>({
        text,
        ...(name && { name }),
        ...(values && { values }),
      });
      const [row] = rows;
      created = readCreated(row, element) ?? created;
      if (row) lastText = Object.values(row).at(-1);
    }
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
  return String(lastText);
};

/** The columns of the statement by which a change begins. */
type StartedTransaction = { readonly newId: string; readonly sequence: string; readonly changedAt: Date };

const readCreated = (
  row: Partial<StartedTransaction> | undefined,
  { contentIds }: ReplayedElement,
): CreatedVersion | undefined => {
  if (!row?.newId || !row.sequence || !row.changedAt) return undefined;
  const { newId: versionId, sequence, changedAt } = row;
  return { versionId, sequence, changedAt, contentIds: contentIds.map(() => randomUUID()) };
};
