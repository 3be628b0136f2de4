/** What is wrong with the lines of a file, each with its text, to be mended in place. */
import { useState } from 'react';
import type { Say } from '../../../language/catalogue.js';
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { TextField } from '../../../ui/field.js';
import { ForeignText } from '../../../ui/foreign-text.js';
import styles from '../data.module.css';
import type { Corrections } from './correct-lines.js';
import { groupByLine } from './load-state.js';
import ownStyles from './loads.module.css';
import type { LoadFault } from './run-load.js';

export type DataSay = Say<typeof dataMessages.en>;

/** `Line 12, column net_amount:` as far as they are known. */
export const faultPlace = ({ line, column }: LoadFault, say: DataSay): string =>
  line === undefined
    ? column === undefined
      ? ''
      : say('placeColumn', { column })
    : column === undefined
      ? say('placeLine', { line })
      : say('placeLineColumn', { line, column });

export type LoadFaultsProps = {
  readonly faults: readonly LoadFault[];
  /** The texts of the lines, as they were sent. */
  readonly lines: Corrections;
  /** There may be more in lines that were not looked at. */
  readonly isPartial: boolean;
  /** Loads the file once more, with these lines in place of its own. */
  readonly onMend: (mended: Corrections) => void;
};

export const LoadFaults = ({ faults, lines, isPartial, onMend }: LoadFaultsProps) => {
  const say = useMessages(dataMessages);
  const [mended, setMended] = useState<Corrections>(new Map());
  const write = (line: number, text: string): void => setMended(new Map(mended).set(line, text));
  return (
    <Card title={say('notLoaded')}>
      <p role="alert">{say('faultsFound', { count: faults.length })}</p>
      <ul className={ownStyles['mended']}>
        {groupByLine(faults).map(({ line, faults: ofLine }) => (
          <li key={line ?? 0} className={ownStyles['column']}>
            <ul className={ownStyles['problems']}>
              {ofLine.map((fault, at) => (
                <li key={at}>
                  <strong>{faultPlace(fault, say)}</strong> <ForeignText text={fault.message} lang="en" />
                </li>
              ))}
            </ul>
            {line !== undefined && lines.has(line) && (
              <TextField
                label={say('placeLine', { line })}
                value={mended.get(line) ?? lines.get(line) ?? ''}
                onChange={(text) => write(line, text)}
                isCode
              />
            )}
          </li>
        ))}
      </ul>
      {lines.size > 0 && (
        <>
          <p className={styles['note']}>{say('mendHere')}</p>
          <div className={styles['line']}>
            <Button variant="primary" onPress={() => onMend(mended)}>
              {say('loadMended')}
            </Button>
          </div>
        </>
      )}
      {isPartial && <p className={styles['note']}>{say('laterLines')}</p>}
    </Card>
  );
};
