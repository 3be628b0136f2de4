/** Icons as lines of 16 by 16; they say nothing that a text beside them does not. */
import styles from './icon.module.css';

const paths = {
  'chevron-down': 'M4 6l4 4 4-4',
  'chevron-right': 'M6 4l4 4-4 4',
  'arrow-up': 'M8 13V3M4 7l4-4 4 4',
  'arrow-down': 'M8 3v10M4 9l4 4 4-4',
  check: 'M3 8.500l3.500 3.500L13 4.500',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.500 5.500h7v7h-7zM10.500 5.500v-2h-7v7h2',
  home: 'M2.500 7.500L8 3l5.500 4.500M4 6.500V13h8V6.500',
  list: 'M5.500 4H14M5.500 8H14M5.500 12H14M2 4h.500M2 8h.500M2 12h.500',
  tree: 'M3 3h4v3H3zM9 6.500h4v3H9zM9 11h4v3H9zM5 6v6.500h4M5 8h4',
  chart: 'M2.500 13.500h11M4 11V8M7 11V4M10 11V6.500M13 11V9',
  talk: 'M2.500 3.500h11v7H7l-3 2.500v-2.500H2.500z',
  tool: 'M10 2.500a3 3 0 0 0-3.500 4L2.500 10.500l2 2 4-4a3 3 0 0 0 4-3.500L10.500 7 8.500 5z',
  data: 'M3 4c0-2 10-2 10 0v8c0 2-10 2-10 0zM3 4c0 2 10 2 10 0M3 8c0 2 10 2 10 0',
  people:
    'M6 8a2.300 2.300 0 1 0 0-4.600A2.300 2.300 0 0 0 6 8zM1.500 13c0-3 9-3 9 0M10.500 7.800a2 2 0 1 0-.500-4M12 9.700c1.500.400 2.500 1.500 2.500 3.300',
  person: 'M8 8a2.600 2.600 0 1 0 0-5.200A2.600 2.600 0 0 0 8 8zM3 13.500c0-4 10-4 10 0',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  more: 'M3 8h.600M7.700 8h.600M12.400 8h.600',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.500 10.500L14 14',
  warning: 'M8 2.500l6 11H2zM8 6.500v3.500M8 12h.010',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className={styles['icon']} viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
