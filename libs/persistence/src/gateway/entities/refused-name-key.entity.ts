/** The single key of the digests of typed names that are no member's. The service reads it and never writes it. */
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'gateway', name: 'refused_name_key' })
@Check('refused_name_key_is_only_check', 'is_only')
@Check('refused_name_key_key_check', 'octet_length(key) = 32')
export class RefusedNameKey {
  @PrimaryColumn('boolean', { default: true })
  isOnly!: boolean;

  @Column('bytea')
  key!: Buffer;
}
