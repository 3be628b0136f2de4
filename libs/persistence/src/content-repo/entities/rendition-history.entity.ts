/** A rendition that was replaced, with the changes between which it was shown. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'content_repo', name: 'rendition_history' })
@Index('rendition_history_by_parent', ['tenant', 'storageId', 'parentId', 'treePath'], {
  where: 'tree_path IS NOT NULL',
})
@Index('rendition_history_in_tree_order', ['tenant', 'storageId', 'facet', 'treePath'], {
  where: 'tree_path IS NOT NULL',
})
@Index('rendition_history_of_element', ['tenant', 'storageId', 'elementId'])
export class RenditionHistory {
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

  @Column('bigint')
  revision!: string;

  @PrimaryColumn('bigint')
  fromSequence!: string;

  @Column('bigint')
  toSequence!: string;
}
