/** A replaced rendition, with the changes between which it was current. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { RenditionColumns } from './rendition.entity.js';

@Entity({ schema: 'content_repo', name: 'rendition_history' })
@Index('rendition_history_by_parent', ['tenant', 'storageId', 'parentId', 'treePath'], {
  where: 'tree_path IS NOT NULL',
})
@Index('rendition_history_in_tree_order', ['tenant', 'storageId', 'facet', 'treePath'], {
  where: 'tree_path IS NOT NULL',
})
@Index('rendition_history_of_element', ['tenant', 'storageId', 'elementId'])
export class RenditionHistory extends RenditionColumns {
  @Column('bigint')
  revision!: string;

  @PrimaryColumn('bigint')
  fromSequence!: string;

  @Column('bigint')
  toSequence!: string;
}
