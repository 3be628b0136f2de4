/** An element and its place in the tree. */
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Storage } from './storage.entity.js';

@Entity({ schema: 'content_repo', name: 'element' })
@Unique('element_tenant_storage_id_key_key', ['tenant', 'storageId', 'key'])
@Index('element_by_deletion', ['tenant', 'storageId', 'deletedAt', 'elementId'], { where: 'deleted_at IS NOT NULL' })
@Index('element_by_parent', ['tenant', 'storageId', 'facet', 'parentId', 'position'])
export class Element {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  storageId!: string;

  @PrimaryColumn('uuid')
  elementId!: string;

  @Column('text', { nullable: true })
  key!: string | null;

  @Column('text')
  facet!: string;

  @Column('text')
  type!: string;

  @Column('text', { nullable: true })
  stereotype!: string | null;

  @Column('uuid')
  creationId!: string;

  @Column('uuid', { nullable: true })
  parentId!: string | null;

  @Column('integer')
  position!: number;

  @Column({ type: 'text', nullable: true, collation: 'C' })
  treePath!: string | null;

  @Column('bytea', { nullable: true })
  digest!: Buffer | null;

  @Column('bigint', { default: () => "(current_setting('app.change'::text))::bigint" })
  revision!: string;

  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;

  @Column('bigint', { default: 0 })
  appliedRevision!: string;

  @ManyToOne(() => Storage, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'storage_id', referencedColumnName: 'storageId' },
  ])
  storage?: Relation<Storage>;

  @ManyToOne(() => Element, { deferrable: 'INITIALLY DEFERRED' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'storage_id', referencedColumnName: 'storageId' },
    { name: 'parent_id', referencedColumnName: 'elementId' },
  ])
  parent?: Relation<Element>;
}
