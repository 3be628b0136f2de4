/**
 * Two hundred questions over the demo and over a chain of shops, asked by `tessera eval`: how many answers of the builtin planner are
 * right, and how many wrong. The truth is computed by SQL over the same tables.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testRunFolder } from '@tessera/testing';
import pg from 'pg';
import { runTesseraWithSettings } from './command-line.js';
import { memberOf, parseJson, textOf } from './json.js';
import { purchasingQuestions } from './planner-questions/purchasing-questions.js';
import { computeTruth, readQuestionLines } from './planner-questions/read-questions.js';
import { createRetailCompany, retailAgentId, retailTeam } from './planner-questions/retail-company.js';
import { retailQuestions } from './planner-questions/retail-questions.js';
import { startProduct, type Product } from './product.js';

let product: Product;
let database: pg.Client;
let keys: Readonly<Record<string, string>>;
beforeAll(async () => {
  product = await startProduct({ demo: 'tiny' });
  database = new pg.Client({ connectionString: product.environment['DATABASE_URL'] });
  await database.connect();
  keys = { purchasing: product.environment['DEMO_KEY'] ?? '', retail: await createRetailCompany(product) };
});
afterAll(async () => {
  await database.end();
  await product.stop();
});

/** Where the tables of a team are. */
const schemaOf = async (team: string, table: string): Promise<string> => {
  const { rows } = await database.query<{ schema: string }>(
    `select quote_ident(schemaname) as schema from pg_tables where tablename = $1 and schemaname like '%' || $2 || '%'`,
    [table, team],
  );
  return rows[0]?.schema ?? '';
};

const companies = [
  { name: 'purchasing', team: 'meridian', table: 'po_item', agent: 'p2p-analyst', questions: purchasingQuestions },
  { name: 'retail', team: retailTeam, table: 'store', agent: retailAgentId, questions: retailQuestions },
] as const;

describe.each(companies)('the planner asked about $name', ({ name, team, table, agent, questions }) => {
  it('is right at least 85 times of a hundred, and wrong at most once', async () => {
    const schema = await schemaOf(team, table);
    const asked = [];
    for (const line of readQuestionLines(questions)) asked.push(await computeTruth(database, schema, line));
    const folder = mkdtempSync(join(testRunFolder(), 'eval-'));
    writeFileSync(join(folder, `${name}.eval.yaml`), JSON.stringify({ agent, questions: asked }));
    const ran = await runTesseraWithSettings(
      { TESSERA_HOME: product.home, API_KEY: keys[name] ?? '' },
      ...['eval', folder, '--min-right', '85', '--max-wrong', '1', '--json'],
    );
    if (ran.stdout === '') throw new Error(ran.stderr);
    const outcomes = memberOf(parseJson(ran.stdout), 'outcomes');
    const all = Array.isArray(outcomes) ? outcomes : [];
    const wrong = all.filter((each) => memberOf(each, 'verdict') !== 'right');
    expect({ code: ran.code, stderr: ran.stderr, notRight: wrong }).toMatchObject({ code: 0 });
    // Every figure is one that a tool told, or is made of such figures beside it.
    expect(all.filter((each) => /Not verified|Nicht belegt/.test(textOf(each, 'answer')))).toEqual([]);
  });
});
