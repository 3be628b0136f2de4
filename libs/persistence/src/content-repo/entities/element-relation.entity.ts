/** A relation from a version to an element, or to one version of it. */
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Element } from './element.entity.js';

@Entity({ schema: 'content_repo', name: 'relation' })
@Index('relation_by_target', ['tenant', 'storageId', 'targetId'])
export class ElementRelation {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  storageId!: string;

  @PrimaryColumn('uuid')
  ownerId!: string;

  @PrimaryColumn('text')
  relation!: string;

  @PrimaryColumn('integer')
  position!: number;

  @Column('uuid')
  targetId!: string;

  @Column('uuid', { nullable: true })
  targetVersionId!: string | null;

  @ManyToOne(() => Element, { onDelete: 'CASCADE', deferrable: 'INITIALLY DEFERRED' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'storage_id', referencedColumnName: 'storageId' },
    { name: 'target_id', referencedColumnName: 'elementId' },
  ])
  target?: Relation<Element>;
}
