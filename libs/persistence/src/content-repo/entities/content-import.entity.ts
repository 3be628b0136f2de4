/** An import of a storage and its outcome. */
import type { StorageDefinition } from '@tessera/contracts';
import type { ImportStatus } from '@tessera/contracts/content-repo';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'content_repo', name: 'import' })
export class ContentImport {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  importId!: string;

  @Column('text')
  collectionName!: string;

  @Column('text')
  storageName!: string;

  @Column('jsonb')
  definition!: StorageDefinition;

  @Column('text')
  subject!: string;

  @Column('timestamptz', { default: () => 'now()' })
  begunAt!: Date;

  @Column('jsonb', { nullable: true })
  outcome!: Omit<ImportStatus, 'importId'> | null;
}
