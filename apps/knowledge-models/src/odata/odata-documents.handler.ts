/** What there is in the OData service of a model: its entity sets, and the entity data model. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { readODataMetadata, readODataService } from '@tessera/contracts/knowledge-models';
import { type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import {
  chooseRepresentation,
  type EntityModel,
  type Representation,
  printServiceDocumentJson,
  printServiceDocumentXml,
  printCsdlJson,
  printCsdlXml,
} from '@tessera/odata';
import { mapDatabaseErrors } from '@tessera/persistence';
import { CallerModels } from '../catalog/caller-models.js';
import { PrintedDocuments, createDocumentReply } from '../spec/printed-documents.js';
import { createODataHeaders, odataRootUrlOf } from './answer-entries.js';
import { entityModelForView } from './view-entities.js';

type Request = RequestOf<typeof readODataService>;

@Controller()
export class ODataDocumentsHandler {
  readonly #documents = new PrintedDocuments();

  constructor(private readonly models: CallerModels) {}

  @Serves(readODataService)
  service(request: Request, context: OperationContext): Promise<Result<ByteReply>> {
    const root = odataRootUrlOf(context, request.km_id);
    return this.#answer('service', request, context, (model, { format }) =>
      format.kind === 'json'
        ? printServiceDocumentJson(model, root, format.metadata)
        : printServiceDocumentXml(model, root),
    );
  }

  @Serves(readODataMetadata)
  metadata(request: Request, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#answer('metadata', request, context, (model, { version, format }) =>
      format.kind === 'json' ? printCsdlJson(model, version) : printCsdlXml(model, version),
    );
  }

  #answer(
    kind: 'service' | 'metadata',
    request: Request,
    { caller, publicUrl }: OperationContext,
    print: (model: EntityModel, representation: Representation) => string,
  ): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const chosen = chooseRepresentation(kind, request);
      if (!chosen.ok) return chosen;
      const found = await this.models.find(caller, request.km_id);
      if (!found.ok) return found;
      const { contentType, version, format } = chosen.value;
      const entities = entityModelForView(found.value.view);
      // The metadata says no address.
      const name = JSON.stringify([kind, version, format, kind === 'service' && publicUrl]);
      const document = this.#documents.find(entities, name, () => print(entities, chosen.value));
      const freshForMs = this.models.freshForMs(caller, found.value);
      const { ifNoneMatch } = request;
      return succeed(
        createDocumentReply(document, {
          contentType,
          headers: createODataHeaders(chosen.value),
          ifNoneMatch,
          freshForMs,
        }),
      );
    });
  }
}
