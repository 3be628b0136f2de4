/**
 * A key that signs: access tokens, or exported evidence. The one that nobody succeeds signs; the others are kept as long as what they
 * signed is to be checked.
 */
import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

abstract class SigningKeyColumns {
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

@Entity({ schema: 'gateway', name: 'signing_key' })
@Unique('signing_key_predecessor_key', ['predecessor'])
export class SigningKey extends SigningKeyColumns {}

@Entity({ schema: 'gateway', name: 'evidence_key' })
@Unique('evidence_key_predecessor_key', ['predecessor'])
export class EvidenceKey extends SigningKeyColumns {}
