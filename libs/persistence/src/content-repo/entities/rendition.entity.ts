/** The JSON text of a version, as it is read. The current one has a tree path. */
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ElementVersion } from './element-version.entity.js';

export abstract class RenditionColumns {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  storageId!: string;

  @PrimaryColumn('uuid')
  versionId!: string;

  @Column('uuid')
  elementId!: string;

  @Column('uuid', { nullable: true })
  parentId!: string | null;

  @Column('text')
  facet!: string;

  @Column('text')
  type!: string;

  @Column({ type: 'text', nullable: true, collation: 'C' })
  treePath!: string | null;

  @Column('text')
  identity!: string;

  @Column('text')
  displayNames!: string;

  @Column('text')
  attributes!: string;

  @Column('text')
  related!: string;

  @Column('text')
  content!: string;

  @Column('integer')
  major!: number;

  @Column('integer')
  minor!: number;

  @Column('text')
  state!: string;

  @Column('text', { nullable: true })
  stereotype!: string | null;
}

@Entity({ schema: 'content_repo', name: 'rendition' })
@Index('rendition_by_names', { synchronize: false })
@Index('rendition_by_parent', ['tenant', 'storageId', 'parentId', 'treePath'], { where: 'tree_path IS NOT NULL' })
@Index('rendition_by_texts', { synchronize: false })
@Index('rendition_in_tree_order', ['tenant', 'storageId', 'facet', 'treePath'], {
  unique: true,
  where: 'tree_path IS NOT NULL',
})
@Index('rendition_of_element', ['tenant', 'storageId', 'elementId'])
@Index('rendition_shown', ['tenant', 'storageId', 'elementId'], { unique: true, where: 'tree_path IS NOT NULL' })
export class Rendition extends RenditionColumns {
  @Column('bigint', { default: 0 })
  revision!: string;

  @Column('bigint', { default: () => "(current_setting('app.change'::text))::bigint" })
  fromSequence!: string;

  @ManyToOne(() => ElementVersion, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'storage_id', referencedColumnName: 'storageId' },
    { name: 'version_id', referencedColumnName: 'versionId' },
  ])
  version?: Relation<ElementVersion>;
}
