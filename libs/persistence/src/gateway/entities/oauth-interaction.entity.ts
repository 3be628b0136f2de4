/** A request for authorization that waits for somebody's consent. Who that will be is not known yet, so it belongs to no team. */
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'gateway', name: 'oauth_interaction' })
@Check('oauth_interaction_digest_check', 'octet_length(digest) = 32')
@Index('oauth_interaction_by_expiry', ['expiresAt'])
export class OAuthInteraction {
  @PrimaryColumn('bytea')
  digest!: Buffer;

  /** Without its id, which a browser has. */
  @Column('text')
  payload!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}
