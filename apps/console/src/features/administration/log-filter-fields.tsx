import { useMessages } from '../../language/language-provider.js';
import { auditMessages } from '../../messages/audit/catalogue.js';
import { TextField } from '../../ui/field.js';
import type { AuditProps } from './audit.js';
import { useTypedText } from './use-typed-text.js';

type TextName = 'subject' | 'asset' | 'tool' | 'outcome';
type FieldProps = AuditProps & { readonly label: string };

/** The server compares the whole text: an empty one is no filter. */
export const TextFilter = ({ filter, onFilter, name, label }: FieldProps & { readonly name: TextName }) => {
  const [typed, type] = useTypedText(filter[name] ?? '', (text) =>
    onFilter({ ...filter, [name]: text.trim() === '' ? undefined : text.trim() }),
  );
  return <TextField label={label} value={typed} onChange={type} autoComplete="off" />;
};

const DayFilter = ({ filter, onFilter, name, label }: FieldProps & { readonly name: 'from' | 'to' }) => (
  <TextField
    type="date"
    label={label}
    value={filter[name] ?? ''}
    onChange={(day) => onFilter({ ...filter, [name]: day === '' ? undefined : day })}
  />
);

/** Who, and when: both days are whole ones of this place. */
export const CommonFilters = (props: AuditProps) => {
  const say = useMessages(auditMessages);
  return (
    <>
      <TextFilter {...props} name="subject" label={say('bySubject')} />
      <DayFilter {...props} name="from" label={say('fromDay')} />
      <DayFilter {...props} name="to" label={say('toDay')} />
    </>
  );
};
