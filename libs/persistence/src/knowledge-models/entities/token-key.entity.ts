/** The single key that encrypts tokens of OData pages. The service reads it and never writes it. */
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'knowledge_models', name: 'token_key' })
@Check('token_key_is_only_check', 'is_only')
@Check('token_key_key_check', 'octet_length(key) = 32')
export class TokenKey {
  @PrimaryColumn('boolean', { default: true })
  isOnly!: boolean;

  @Column('bytea')
  key!: Buffer;
}
