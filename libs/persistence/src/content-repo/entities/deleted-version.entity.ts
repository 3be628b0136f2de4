/** A deleted version with all its contents. */
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Element } from './element.entity.js';

@Entity({ schema: 'content_repo', name: 'deleted_version' })
@Index('deleted_version_by_deletion', ['tenant', 'storageId', 'deletedAt', 'versionId'])
@Index('deleted_version_of_element', ['tenant', 'storageId', 'elementId'])
export class DeletedVersion {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  storageId!: string;

  @PrimaryColumn('uuid')
  versionId!: string;

  @Column('uuid')
  elementId!: string;

  @Column('timestamptz')
  deletedAt!: Date;

  @Column('jsonb')
  document!: unknown;

  @ManyToOne(() => Element, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'storage_id', referencedColumnName: 'storageId' },
    { name: 'element_id', referencedColumnName: 'elementId' },
  ])
  element?: Relation<Element>;
}
