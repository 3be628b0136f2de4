/** What there is in the OData service of a model: its entity sets, and the entity data model. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { readODataMetadata, readODataService } from '@tessera/contracts/knowledge-models';
import { type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import {
  type AnswerKind,
  chooseRepresentation,
  type EntityModel,
  type Representation,
  serviceDocumentJson,
  serviceDocumentXml,
  csdlJson,
  csdlXml,
} from '@tessera/odata';
import { mapDatabaseErrors } from '@tessera/persistence';
import { CallerModels } from '../catalog/caller-models.js';
import { odataHeaders, odataRoot } from './answer-entries.js';
import { viewEntities } from './view-entities.js';

type Request = RequestOf<typeof readODataService>;

@Controller()
export class ODataDocumentsHandler {
  constructor(private readonly models: CallerModels) {}

  @Serves(readODataService)
  service(request: RequestOf<typeof readODataService>, context: OperationContext): Promise<Result<ByteReply>> {
    const root = odataRoot(context, request.km_id);
    return this.#answer('service', request, context, (model, { format }) =>
      Buffer.from(
        format.kind === 'json' ? serviceDocumentJson(model, root, format.metadata) : serviceDocumentXml(model, root),
      ),
    );
  }

  @Serves(readODataMetadata)
  metadata(request: RequestOf<typeof readODataMetadata>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#answer('metadata', request, context, metadataDocument);
  }

  #answer(
    kind: AnswerKind,
    request: Request,
    { caller }: OperationContext,
    print: (model: EntityModel, representation: Representation) => Buffer,
  ): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const chosen = chooseRepresentation(kind, request);
      if (!chosen.ok) return chosen;
      const found = await this.models.find(caller, request.km_id);
      if (!found.ok) return found;
      const body = print(viewEntities(found.value.view), chosen.value);
      return succeed({ contentType: chosen.value.contentType, headers: odataHeaders(chosen.value), body });
    });
  }
}

/** By version and format, as many as there can be. */
const printedDocuments = new WeakMap<EntityModel, Map<string, Buffer>>();

const metadataDocument = (model: EntityModel, { version, format }: Representation): Buffer => {
  const documents = printedDocuments.get(model) ?? new Map<string, Buffer>();
  printedDocuments.set(model, documents);
  const name = `${version} ${format.kind}`;
  const known = documents.get(name);
  if (known) return known;
  const document = Buffer.from(format.kind === 'json' ? csdlJson(model, version) : csdlXml(model, version));
  documents.set(name, document);
  return document;
};
