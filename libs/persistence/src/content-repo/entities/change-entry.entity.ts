/** What a change did to one element or version. Rows are only added. */
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Change } from './change.entity.js';

@Entity({ schema: 'content_repo', name: 'change_entry' })
@Index('change_entry_of_element', ['tenant', 'storageId', 'elementId', 'sequence'])
@Index('change_entry_of_version', ['tenant', 'storageId', 'versionId', 'sequence'], { where: 'version_id IS NOT NULL' })
export class ChangeEntry {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  storageId!: string;

  @PrimaryColumn('bigint')
  sequence!: string;

  @PrimaryColumn('integer')
  ordinal!: number;

  @Column('text')
  action!: string;

  @Column('uuid', { nullable: true })
  elementId!: string | null;

  @Column('uuid', { nullable: true })
  versionId!: string | null;

  @Column('jsonb')
  detail!: unknown;

  @ManyToOne(() => Change)
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'storage_id', referencedColumnName: 'storageId' },
    { name: 'sequence', referencedColumnName: 'sequence' },
  ])
  change?: Relation<Change>;
}
