/** A storage: its definition, and the number of its last change. */
import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

@Entity({ schema: 'content_repo', name: 'storage' })
@Unique('storage_tenant_collection_name_storage_name_key', ['tenant', 'collectionName', 'storageName'])
export class Storage {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  storageId!: string;

  @Column('text')
  collectionName!: string;

  @Column('text')
  storageName!: string;

  @Column('jsonb')
  definition!: unknown;

  @Column('bigint', { default: 1 })
  revision!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  changedAt!: Date;

  @Column('bigint', { default: 0 })
  changeSequence!: string;
}
