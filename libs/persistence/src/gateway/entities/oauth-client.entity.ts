/** A client that registered itself. Of its secret only the digest is stored. */
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'gateway', name: 'oauth_client' })
@Check('oauth_client_secret_digest_check', 'octet_length(secret_digest) = 32')
@Index('oauth_client_by_expiry', ['expiresAt'])
export class OAuthClient {
  @PrimaryColumn('text')
  clientId!: string;

  @Column('json')
  metadata!: object;

  @Column('bytea', { nullable: true })
  secretDigest!: Buffer | null;

  @Column('timestamptz', { default: () => 'now()' })
  registeredAt!: Date;

  @Column('timestamptz', { nullable: true })
  usedAt!: Date | null;

  @Column('timestamptz')
  expiresAt!: Date;
}
