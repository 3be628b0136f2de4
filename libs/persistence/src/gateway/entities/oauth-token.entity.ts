/** An authorization code or a refresh token of a grant, by the digest of what the client keeps. */
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { OAuthGrant } from './oauth-grant.entity.js';

export type OAuthTokenKind = 'AuthorizationCode' | 'RefreshToken';

@Entity({ schema: 'gateway', name: 'oauth_token' })
@Check('oauth_token_digest_check', 'octet_length(digest) = 32')
@Check('oauth_token_kind_check', "kind = ANY (ARRAY['AuthorizationCode'::text, 'RefreshToken'::text])")
@Index('oauth_token_by_digest', ['digest'], { unique: true })
@Index('oauth_token_by_expiry', ['expiresAt'])
@Index('oauth_token_by_grant', ['tenant', 'grantId'])
export class OAuthToken {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('bytea')
  digest!: Buffer;

  @Column('uuid')
  grantId!: string;

  @Column('text')
  kind!: OAuthTokenKind;

  /** Without its id. */
  @Column('text')
  payload!: string;

  /** It is used once. */
  @Column('timestamptz', { nullable: true })
  consumedAt!: Date | null;

  @Column('timestamptz')
  expiresAt!: Date;

  @ManyToOne(() => OAuthGrant, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant', referencedColumnName: 'tenant' },
    { name: 'grant_id', referencedColumnName: 'grantId' },
  ])
  grant?: Relation<OAuthGrant>;
}
