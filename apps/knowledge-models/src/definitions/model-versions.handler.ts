/**
 * The versions of a model and what differs between them. Only for who may administer the team; for everybody else the team
 * does not exist.
 */
import { Controller } from '@nestjs/common';
import { type ByteReply, canAdminister, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { compareModelVersions, listModelVersions, readModelVersion } from '@tessera/contracts/knowledge-models';
import { readDefinitions } from '@tessera/definitions';
import { fail, type Result, succeed } from '@tessera/failures';
import { runInSlices } from '@tessera/fair-queue';
import { checkModelInSteps, compareModels, type KnowledgeModelDefinitions } from '@tessera/knowledge-model';
import { createJsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors, type StoredVersion } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { DataSource, type EntityManager } from 'typeorm';
import { versionedModelDefinitions } from './definitions.repository.js';
import { modelDefinitionKind, publishedDefinitions } from './stored-definitions.js';

type CompareRequest = RequestOf<typeof compareModelVersions>;

@Controller()
export class ModelVersionsHandler {
  constructor(private readonly source: DataSource) {}

  @Serves(listModelVersions)
  list(
    { team, modelId, before, pageSize }: RequestOf<typeof listModelVersions>,
    context: OperationContext,
  ): Promise<Result<ReplyOf<typeof listModelVersions>>> {
    return this.#asTeam(team, context, async (manager) => {
      // One more than a page shows whether there is another page.
      const found = await versionedModelDefinitions.listVersions(manager, team, modelId, {
        before,
        rowsMax: pageSize + 1,
      });
      if (!found) return notFound;
      const { publishedVersion, draft } = found;
      const versions = found.versions
        .slice(0, pageSize)
        .map((each) => ({ ...each, isPublished: each.version === publishedVersion }));
      const next = found.versions.length > pageSize ? versions.at(-1)?.version : undefined;
      return succeed({ versions, ...(draft && { draft }), ...(next !== undefined && { next }) });
    });
  }

  @Serves(readModelVersion)
  read(
    { team, modelId, version }: RequestOf<typeof readModelVersion>,
    context: OperationContext,
  ): Promise<Result<ByteReply>> {
    return this.#asTeam(team, context, async (manager) => {
      const found = await readVersion(manager, team, modelId, version);
      if (!found) return noVersion(modelId, version);
      return createJsonReply({ ...found, version: String(found.version) }, { etag: `"${found.digest}"` });
    });
  }

  @Serves(compareModelVersions)
  async compare(
    request: CompareRequest,
    context: OperationContext,
  ): Promise<Result<ReplyOf<typeof compareModelVersions>>> {
    const { team, modelId } = request;
    const read = await this.#asTeam(team, context, async (manager) => {
      const versions: StoredVersion[] = [];
      for (const wanted of [request.from, request.to]) {
        const found = await readVersion(manager, team, modelId, wanted);
        if (!found) return noVersion(modelId, wanted);
        versions.push(found);
      }
      const published = publishedDefinitions(await readDefinitions(modelDefinitionKind, { manager, team }));
      return succeed({ versions, published });
    });
    return read.ok ? compareStored(read.value.versions, read.value.published, team) : read;
  }

  #asTeam<T>(
    team: string,
    { caller }: OperationContext,
    work: (manager: EntityManager) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    if (!canAdminister(caller, team)) return Promise.resolve(notFound);
    return mapDatabaseErrors(() => runInTenantEntityTransaction(this.source, team, work, { kind: 'snapshot' }));
  }
}

const readVersion = (
  manager: EntityManager,
  team: string,
  modelId: string,
  text: string,
): Promise<StoredVersion | undefined> =>
  versionedModelDefinitions.readVersion(
    manager,
    team,
    modelId,
    text === 'draft' || text === 'published' ? text : Number(text),
  );

const compareStored = async (
  versions: readonly StoredVersion[],
  published: KnowledgeModelDefinitions,
  team: string,
): Promise<Result<ReplyOf<typeof compareModelVersions>>> => {
  const states = [];
  for (const { version, definition: stored } of versions) {
    const definition = modelDefinitionKind.parse(stored);
    if (!definition)
      return fail('GENERAL_CONFLICT', `${nameOf(version)} was stored in a form that is not read any more.`);
    states.push({ definition, checked: await runInSlices(checkModelInSteps(definition, published), team) });
  }
  const [before, after] = states;
  const [from, to] = versions.map(({ version }) => String(version));
  const changes = before && after ? [...compareModels(before, after)] : [];
  const openRecords = after?.checked.ok ? after.checked.openRecords.map(({ message }) => message) : [];
  return succeed({ from: from ?? '', to: to ?? '', changes, ...(openRecords.length > 0 && { openRecords }) });
};

const nameOf = (version: number | 'draft'): string => (version === 'draft' ? 'The draft' : `Version ${version}`);

const notFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');

const noVersion = (modelId: string, version: string): Result<never> => {
  const what = { draft: 'draft', published: 'published version' }[version] ?? `version ${version}`;
  return fail('GENERAL_NOTFOUND', `There is no ${what} of ${modelId}.`);
};
