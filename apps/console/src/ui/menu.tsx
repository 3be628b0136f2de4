import { Fragment, type ReactNode } from 'react';
import {
  Button,
  Header,
  Menu as AriaMenu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components';
import buttonStyles from './button.module.css';
import { classNames } from './class-names.js';
import { Icon } from './icon.js';
import { OptionWords, type Option } from './options.js';
import styles from './options.module.css';

export type MenuEntry = Option & { readonly onAction: () => void; readonly isDangerous?: boolean };
export type MenuGroup = {
  readonly id: string;
  /** Above the entries; read aloud when it is not shown. */
  readonly title: string;
  readonly isTitleShown?: boolean;
  readonly entries: readonly MenuEntry[];
  /** Of a group in which one is chosen. */
  readonly selected?: string;
};

export type MenuButtonProps = {
  /** Of the menu, and of a button that shows only an icon; read aloud. */
  readonly label: string;
  /** What the button shows; `more` (three dots) when left out. */
  readonly children?: ReactNode;
  readonly groups: readonly MenuGroup[];
};

/** A button that opens a menu of acts. */
export const MenuButton = ({ label, children, groups }: MenuButtonProps) => (
  <MenuTrigger>
    <Button
      aria-label={children === undefined ? label : undefined}
      className={classNames(
        buttonStyles['button'],
        buttonStyles['quiet'],
        children === undefined && buttonStyles['iconOnly'],
      )}
    >
      {children ?? <Icon name="more" />}
    </Button>
    <Popover className={styles['popover'] ?? ''} placement="bottom end">
      <AriaMenu className={styles['list'] ?? ''} aria-label={label}>
        {groups.map((group, at) => (
          <Fragment key={group.id}>
            {at > 0 && <Separator className={styles['separator'] ?? ''} />}
            <Group {...group} />
          </Fragment>
        ))}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
);

const Group = ({ title, isTitleShown, entries, selected }: MenuGroup) => (
  <MenuSection
    aria-label={title}
    {...(selected !== undefined && { selectionMode: 'single', selectedKeys: [selected] })}
  >
    {isTitleShown === true && <Header className={styles['heading'] ?? ''}>{title}</Header>}
    {entries.map(({ id, label, description, isDisabled, isDangerous, onAction }) => (
      <MenuItem
        key={id}
        id={id}
        textValue={label}
        isDisabled={isDisabled}
        onAction={onAction}
        className={classNames(styles['option'], isDangerous === true && styles['dangerous'])}
      >
        {({ isSelected }) => (
          <>
            {selected !== undefined && <span className={styles['mark']}>{isSelected && <Icon name="check" />}</span>}
            <OptionWords label={label} description={description} />
          </>
        )}
      </MenuItem>
    ))}
  </MenuSection>
);
