/**
 * What finds content by misspelt words. Of every rendition PostgreSQL keeps two texts without case and accents: its names,
 * and the texts of its other attributes; trigram indexes hold those of the versions that are shown, behind tenant and storage.
 *
 * Comparing trigrams is not leakproof, and under row-level security no such index is used. The functions that look into
 * them therefore run as their owner, to whom the policies show all rows; they take the tenant of the
 * transaction and answer ids of its versions and nothing else.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const role = 'tessera_content_repo';

/** Long texts cost writers little: what stands further back does not find an element. */
const textsMax = 2_000;

/** Those that the server keeps, which nobody looks for, beside the names. */
const unsearched = ['name', 'createdOn', 'changedOn', 'state1', 'gotoUrl', 'authorNote', 'version'];
const searched = unsearched.map((name) => `@.key != "${name}"`).join(' && ');

const accented = 'àáâãåāçčďèéêëēěìíîïīłñńňòóôõøřśšťùúûůūýÿžźż';
const plain = 'aaaaaaccdeeeeeeiiiiilnnnooooorsstuuuuuyyzzz';

/** An attribute in the text of a rendition; the mark of the public address is no JSON. */
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

/** German spells an umlaut as two letters where it has none. */
const functionsSql = `
  create function content_repo.folded(given text) returns text language sql immutable strict parallel safe
  return translate(
    replace(replace(replace(replace(lower(normalize(given, NFC)), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ß', 'ss'),
    '${accented}', '${plain}');
`;

/** Names as an object by culture, other texts as a list. */
const columnsSql = `
  alter table content_repo.rendition
    add column folded_names text not null generated always as (
      content_repo.folded(coalesce((${attributesJson} -> 'name')::text, '{}'))) stored,
    add column folded_texts text not null generated always as (
      content_repo.folded(left(jsonb_path_query_array(${attributesJson},
        '$.keyvalue() ? (${searched}).value.* ? (@.type() == "string")')::text, ${textsMax}))) stored;
  create index rendition_by_names on content_repo.rendition
    using gin (tenant, storage_id, folded_names gin_trgm_ops) where tree_path is not null;
  create index rendition_by_texts on content_repo.rendition
    using gin (tenant, storage_id, folded_texts gin_trgm_ops) where tree_path is not null and folded_texts <> '[]';
`;

/** The index is asked for three of what is given, and for the first again where there are fewer. */
const byIndex = (condition: (given: string) => string): string =>
  ['given[1]', 'coalesce(given[2], given[1])', 'coalesce(given[3], given[1])'].map(condition).join(' and ');
const isContaining = (column: string): string =>
  `${byIndex((given) => `${column} like ${given}`)} and ${column} like all (given)`;
const isSimilar = (column: string): string => byIndex((given) => `${column} %> ${given}`);

/** `threshold`: from which on a text has a word like the one given. Two letters that changed places leave little alike. */
const functions = [
  { name: 'names_containing', holds: isContaining('r.folded_names') },
  { name: 'names_similar_to', holds: isSimilar('r.folded_names'), threshold: 0.5 },
  { name: 'names_resembling', holds: isSimilar('r.folded_names'), threshold: 0.35 },
  { name: 'texts_containing', holds: `${isContaining('r.folded_texts')} and r.folded_texts <> '[]'` },
  { name: 'texts_similar_to', holds: `${isSimilar('r.folded_texts')} and r.folded_texts <> '[]'`, threshold: 0.5 },
].map((declared) => ({ ...declared, name: `content_repo.renditions_with_${declared.name}` }));

/** Without the other kinds of scans, since the planner cannot tell how many texts there are like a word. */
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
