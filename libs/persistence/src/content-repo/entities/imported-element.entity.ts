/** An element that an import has received. */
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { ContentImport } from './content-import.entity.js';

@Entity({ schema: 'content_repo', name: 'import_element' })
@Unique('import_element_tenant_import_id_ordinal_key', ['tenant', 'importId', 'ordinal'])
export class ImportedElement {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  importId!: string;

  @PrimaryColumn('uuid')
  elementId!: string;

  @Column('bigint')
  ordinal!: string;

  @Column('jsonb')
  document!: unknown;

  @ManyToOne(() => ContentImport, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'import_id', referencedColumnName: 'importId' },
  ])
  import?: Relation<ContentImport>;
}
