/** The documents of KPIs: elements that content says are measured by them, in the versions that were released at an instant. */
import { Controller } from '@nestjs/common';
import { neutralCulture, storagePath } from '@tessera/content-model';
import type { ReplyOf, RequestOf } from '@tessera/contracts';
import { findDocumentsOfFigures } from '@tessera/contracts/content-repo';
import { succeed, type Result } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { Pools } from '../database.module.js';
import { createPoolReader } from '../database/tenant-reader.js';
import { type FigureDocumentRow, readFigureDocuments } from './figure-documents.repository.js';

type Reply = ReplyOf<typeof findDocumentsOfFigures>;

const documentsMax = 100;

@Controller()
export class FindFigureDocumentsHandler {
  constructor(private readonly pools: Pools) {}

  @Serves(findDocumentsOfFigures)
  find(
    { figures, at }: RequestOf<typeof findDocumentsOfFigures>,
    { caller, publicUrl }: OperationContext,
  ): Promise<Result<Reply>> {
    return mapDatabaseErrors(async () => {
      if (figures.length === 0) return succeed({ documents: [] });
      const reader = createPoolReader(this.pools.light, caller.team);
      const rows = await readFigureDocuments(reader, { figures, at, rowsMax: documentsMax });
      return succeed({ documents: rows.map((row) => presentDocument(row, publicUrl)) });
    });
  }
}

const presentDocument = (row: FigureDocumentRow, publicUrl: string): Reply['documents'][number] => {
  const { figure, collection, storage, facet, elementId, versionId, major, minor } = row;
  const address = `${storagePath({ collection, id: storage })}/facets/${encodeURIComponent(facet)}/reporting/${elementId}`;
  return {
    figure,
    element: { id: elementId, name: nameOf(row), href: `${publicUrl}${address}` },
    ...{ versionId, version: `${major}.${minor}` },
  };
};

const nameOf = ({ names, defaultCulture, elementId }: FigureDocumentRow): string => {
  const byCulture: unknown = JSON.parse(names);
  const texts = new Map<string, unknown>(typeof byCulture === 'object' && byCulture ? Object.entries(byCulture) : []);
  const name = texts.get(defaultCulture) ?? texts.get(String(neutralCulture)) ?? [...texts.values()][0];
  return typeof name === 'string' ? name : elementId;
};
