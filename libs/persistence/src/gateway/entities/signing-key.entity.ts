/** A key that signs access tokens. The one that nobody succeeds signs; the others are kept until their tokens have expired. */
import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

@Entity({ schema: 'gateway', name: 'signing_key' })
@Unique('signing_key_predecessor_key', ['predecessor'])
export class SigningKey {
  @PrimaryColumn('text')
  keyId!: string;

  /** Empty for the first key. Unique, so that a key has one successor, whoever else rotates. */
  @Column('text')
  predecessor!: string;

  /** PKCS #8 in DER. */
  @Column('bytea')
  privateKey!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
