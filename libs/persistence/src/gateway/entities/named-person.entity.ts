/** Somebody whom the issuer has named, until the team is chosen. Only the digest of what the browser keeps is stored. */
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'gateway', name: 'named_person' })
@Check('named_person_digest_check', 'octet_length(digest) = 32')
@Index('named_person_by_expiry', ['expiresAt'])
export class NamedPerson {
  @PrimaryColumn('bytea')
  digest!: Buffer;

  @Column('text')
  issuer!: string;

  @Column('text')
  subject!: string;

  /** The session at the issuer (`sid`); empty when it names none. */
  @Column('text', { default: '' })
  issuerSession!: string;

  @Column('text')
  idToken!: string;

  /** Those that the issuer names; empty when it says nothing of teams. */
  @Column('text', { array: true, nullable: true })
  teams!: string[] | null;

  @Column('text')
  nextPath!: string;

  /** By the clock of the issuer. */
  @Column('timestamptz')
  namedAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;
}
