/** A sign-out that the issuer has told, kept so that it counts once, and for sign-ins that are under way meanwhile. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'gateway', name: 'issuer_logout' })
@Index('issuer_logout_by_expiry', ['expiresAt'])
export class IssuerLogout {
  @PrimaryColumn('text')
  issuer!: string;

  @PrimaryColumn('text')
  tokenId!: string;

  /** Empty when the issuer names only the session, as that is when it names only the subject. */
  @Column('text', { default: '' })
  subject!: string;

  @Column('text', { default: '' })
  issuerSession!: string;

  /** By the clock of the issuer. */
  @Column('timestamptz')
  issuedAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;
}
