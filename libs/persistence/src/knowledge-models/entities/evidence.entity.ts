/** What was asked, of which data, and what came, without its rows. The id contains the time (UUID version 7). */
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'knowledge_models', name: 'evidence' })
export class Evidence {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('uuid')
  evidenceId!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  requestId!: string;

  @Column('text')
  kind!: string;

  @Column('text')
  modelId!: string;

  @Column('integer')
  modelVersion!: number;

  /** Of the definition and its bases, hexadecimal, separated by spaces. */
  @Column('text')
  modelDigests!: string;

  /** The same for callers who see the same of this version of the model. */
  @Column('bytea')
  viewDigest!: Buffer;

  @Column('json')
  question!: unknown;

  @Column('json')
  data!: unknown;

  @Column('json')
  policies!: unknown;

  @Column('bytea')
  salt!: Buffer;

  @Column('bigint')
  rowCount!: string;

  @Column('bytea')
  rowsDigest!: Buffer;

  @Column('json', { nullable: true })
  figures!: unknown;
}
