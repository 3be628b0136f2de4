/** An access token that its client ended before it expired. */
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'gateway', name: 'revoked_token' })
export class RevokedToken {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text')
  tokenId!: string;

  /** The row is of no use from then on. */
  @Column('timestamptz')
  expiresAt!: Date;
}
