/** How a file is read, with its first rows as they come out. */
import { encodings } from '@tessera/contracts/record-files';
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Card } from '../../../ui/card.js';
import { Checkbox } from '../../../ui/field.js';
import { Select } from '../../../ui/select.js';
import type { CsvPreview, ReadSettings } from '../csv/csv-preview.js';
import { delimiters, type Delimiter } from '../csv/parse-csv.js';
import { FirstRows } from './first-rows.js';
import ownStyles from './loads.module.css';

export type FileReadingProps = {
  readonly settings: ReadSettings;
  readonly preview: CsvPreview;
  readonly onChange: (settings: ReadSettings) => void;
};

const delimiterNames = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const satisfies Record<
  Delimiter,
  string
>;

export const FileReading = ({ settings, preview, onChange }: FileReadingProps) => {
  const say = useMessages(dataMessages);
  return (
    <Card title={say('reading')}>
      <div className={ownStyles['fields']}>
        <Select
          label={say('delimiter')}
          options={delimiters.map((id) => ({ id, label: say(delimiterNames[id]) }))}
          selected={settings.delimiter}
          onSelect={(delimiter) => onChange({ ...settings, delimiter })}
        />
        <Select
          label={say('encodingOf')}
          options={encodings.map((id) => ({ id, label: id.toUpperCase() }))}
          selected={settings.encoding}
          onSelect={(encoding) => onChange({ ...settings, encoding })}
        />
        <Checkbox isSelected={settings.hasHeader} onChange={(hasHeader) => onChange({ ...settings, hasHeader })}>
          {say('hasHeader')}
        </Checkbox>
      </div>
      <FirstRows preview={preview} />
    </Card>
  );
};
