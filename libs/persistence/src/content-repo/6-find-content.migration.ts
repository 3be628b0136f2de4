/**
 * Finds content by misspelt words. PostgreSQL keeps two texts of every rendition without case and accents: its names, and the
 * texts of its other attributes; trigram indexes cover those of the current versions, by tenant and storage.
 *
 * Comparing trigrams is not leakproof, so row-level security prevents the use of such an index. The functions that use them
 * therefore run as their owner, to whom the policies show all rows; they take the tenant of the transaction and return only
 * ids of its versions.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const role = 'tessera_content_repo';

/** Limits the cost of long texts for writers; text beyond it is not searched. */
const textsMax = 2_000;

/** Attributes that the server maintains, and the names, which have a column of their own. */
const unsearchedAttributes = ['name', 'createdOn', 'changedOn', 'state1', 'gotoUrl', 'authorNote', 'version'];
const searchedCondition = unsearchedAttributes.map((name) => `@.key != "${name}"`).join(' && ');

const accentedLetters = 'àáâãåāçčďèéêëēěìíîïīłñńňòóôõøřśšťùúûůūýÿžźż';
const plainLetters = 'aaaaaaccdeeeeeeiiiiilnnnooooorsstuuuuuyyzzz';

/** The attributes of a rendition as JSON; the placeholder of the public URL is not valid JSON. */
const attributesJson = `case attributes when '' then '{}'::jsonb
  else ('{' || replace(substr(attributes, 2), chr(1), '') || '}')::jsonb -> 'attributes' end`;

export class FindContent1764000000006 implements MigrationInterface {
  name = 'FindContent1764000000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create extension if not exists pg_trgm');
    await runner.query('create extension if not exists btree_gin');
    await runner.query(functionsSql);
    await runner.query(columnsSql);
    await runner.query(findSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${functions.map(({ name }) => `drop function ${name}(uuid, text[], text, integer);`).join('\n')}
      alter table content_repo.rendition drop column folded_names, drop column folded_texts;
      drop function content_repo.folded(text);
    `);
  }
}

/** German writes an umlaut as two letters where the umlaut is missing. */
const functionsSql = `
  create function content_repo.folded(given text) returns text language sql immutable strict parallel safe
  return translate(
    replace(replace(replace(replace(lower(normalize(given, NFC)), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ß', 'ss'),
    '${accentedLetters}', '${plainLetters}');
`;

/** Names are an object by culture, other texts a list. */
const columnsSql = `
  alter table content_repo.rendition
    add column folded_names text not null generated always as (
      content_repo.folded(coalesce((${attributesJson} -> 'name')::text, '{}'))) stored,
    add column folded_texts text not null generated always as (
      content_repo.folded(left(jsonb_path_query_array(${attributesJson},
        '$.keyvalue() ? (${searchedCondition}).value.* ? (@.type() == "string")')::text, ${textsMax}))) stored;
  create index rendition_by_names on content_repo.rendition
    using gin (tenant, storage_id, folded_names gin_trgm_ops) where tree_path is not null;
  create index rendition_by_texts on content_repo.rendition
    using gin (tenant, storage_id, folded_texts gin_trgm_ops) where tree_path is not null and folded_texts <> '[]';
`;

/** The index is queried for three terms; with fewer terms the first one is repeated. */
const byIndex = (condition: (given: string) => string): string =>
  ['given[1]', 'coalesce(given[2], given[1])', 'coalesce(given[3], given[1])'].map(condition).join(' and ');
const isContaining = (column: string): string =>
  `${byIndex((given) => `${column} like ${given}`)} and ${column} like all (given)`;
const isSimilar = (column: string): string => byIndex((given) => `${column} %> ${given}`);

/** `threshold`: the similarity from which a word matches. It is low because two swapped letters leave few equal trigrams. */
const functions = [
  { name: 'names_containing', holds: isContaining('r.folded_names') },
  { name: 'names_similar_to', holds: isSimilar('r.folded_names'), threshold: 0.5 },
  { name: 'names_resembling', holds: isSimilar('r.folded_names'), threshold: 0.35 },
  { name: 'texts_containing', holds: `${isContaining('r.folded_texts')} and r.folded_texts <> '[]'` },
  { name: 'texts_similar_to', holds: `${isSimilar('r.folded_texts')} and r.folded_texts <> '[]'`, threshold: 0.5 },
].map((declared) => ({ ...declared, name: `content_repo.renditions_with_${declared.name}` }));

/** Other kinds of scans are off, since the planner cannot estimate how many texts resemble a word. */
const findSql = functions
  .map(
    ({ name, holds, threshold }) => `
  create function ${name}(storage uuid, given text[], only_facet text, at_most integer)
    returns table (version_id uuid)
    language sql stable security definer
    set search_path = public, pg_temp
${threshold === undefined ? '' : `    set pg_trgm.word_similarity_threshold = ${threshold}\n`}    set enable_indexscan = off
    set enable_seqscan = off as $$
      select r.version_id from content_repo.rendition r
      where r.tenant = nullif(current_setting('app.tenant', true), '') and r.storage_id = storage
        and r.tree_path is not null and (only_facet is null or r.facet = only_facet) and ${holds}
      limit at_most
    $$;
  revoke all on function ${name}(uuid, text[], text, integer) from public;
  grant execute on function ${name}(uuid, text[], text, integer) to ${role};
`,
  )
  .join('');
