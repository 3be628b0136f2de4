/** A content element of a version. */
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { ElementVersion } from './element-version.entity.js';

@Entity({ schema: 'content_repo', name: 'content_element' })
@Unique('content_element_tenant_storage_id_version_id_position_key', ['tenant', 'storageId', 'versionId', 'position'])
export class ContentElement {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  storageId!: string;

  @PrimaryColumn('uuid')
  contentId!: string;

  @Column('uuid')
  versionId!: string;

  @Column('text', { nullable: true })
  key!: string | null;

  @Column('integer')
  position!: number;

  @Column('uuid')
  creationId!: string;

  @Column('text')
  type!: string;

  @Column('text', { nullable: true })
  stereotype!: string | null;

  @Column('text')
  state!: string;

  @Column('jsonb')
  attributes!: unknown;

  @ManyToOne(() => ElementVersion, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'storage_id', referencedColumnName: 'storageId' },
    { name: 'version_id', referencedColumnName: 'versionId' },
  ])
  version?: Relation<ElementVersion>;
}
