/** The contents of a version of an element. */
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Element } from './element.entity.js';

@Entity({ schema: 'content_repo', name: 'element_version' })
@Unique('element_version_tenant_storage_id_element_id_major_minor_key', [
  'tenant',
  'storageId',
  'elementId',
  'major',
  'minor',
])
export class ElementVersion {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  storageId!: string;

  @PrimaryColumn('uuid')
  versionId!: string;

  @Column('uuid')
  elementId!: string;

  @Column('integer')
  major!: number;

  @Column('integer')
  minor!: number;

  @Column('text')
  state!: string;

  @Column('jsonb')
  attributes!: unknown;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  changedAt!: Date;

  @Column('bigint', { default: () => "(current_setting('app.change'::text))::bigint" })
  revision!: string;

  @ManyToOne(() => Element, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'storage_id', referencedColumnName: 'storageId' },
    { name: 'element_id', referencedColumnName: 'elementId' },
  ])
  element?: Relation<Element>;
}
