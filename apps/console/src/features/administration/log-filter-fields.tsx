import { useMessages } from '../../language/language-provider.js';
import { auditMessages } from '../../messages/audit/catalogue.js';
import { TextField } from '../../ui/field.js';
import { useTypedText } from '../../ui/use-typed-text.js';
import type { AuditProps } from './audit.js';

type TextName = 'subject' | 'asset' | 'tool' | 'outcome';
type FieldProps = AuditProps & { readonly label: string };

/** The server compares the whole text: an empty one is no filter. */
export const TextFilter = ({ filter, onFilter, name, label }: FieldProps & { readonly name: TextName }) => {
  const [typed, type] = useTypedText(filter[name] ?? '', (text) =>
    onFilter({ ...filter, [name]: text.trim() === '' ? undefined : text.trim() }),
  );
  return <TextField label={label} value={typed} onChange={type} autoComplete="off" />;
};

/** A year that is being typed goes through 0002 and 0020. */
const isWholeDay = (text: string): boolean => /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text);

const DayFilter = ({ filter, onFilter, name, label }: FieldProps & { readonly name: 'from' | 'to' }) => {
  const [typed, type] = useTypedText(filter[name] ?? '', (day) => {
    if (day === '' || isWholeDay(day)) onFilter({ ...filter, [name]: day === '' ? undefined : day });
  });
  return <TextField type="date" label={label} value={typed} onChange={type} />;
};

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
