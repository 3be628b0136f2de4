import type { ReactNode } from 'react';
import { classNames } from './class-names.js';
import styles from './plain-table.module.css';

export type PlainTableProps = {
  /** What the rows are; read aloud. */
  readonly label: string;
  readonly heads: readonly ReactNode[];
  readonly rows: readonly (readonly ReactNode[])[];
  /** By column: figures stand at the end. */
  readonly isEnd?: readonly boolean[];
};

/** On a narrow page it is moved sideways; who does that by keyboard has to get there. */
const scrolled = { role: 'group', tabIndex: 0 };

/** A few rows inside of a text, all of them there; of many rows a Table is the better choice. */
export const PlainTable = ({ label, heads, rows, isEnd = [] }: PlainTableProps) => (
  <div className={styles['frame']} {...scrolled} aria-label={label}>
    <table className={styles['table']} aria-label={label}>
      <thead>
        <tr>
          {heads.map((head, column) => (
            <th
              key={column}
              scope="col"
              className={classNames(styles['head'], isEnd[column] === true && styles['end'])}
            >
              <bdi className={styles['content']}>{head}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, column) => (
              <td key={column} className={classNames(styles['cell'], isEnd[column] === true && styles['end'])}>
                <bdi className={styles['content']}>{cell}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
