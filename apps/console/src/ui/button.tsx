import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import styles from './button.module.css';
import { classNames } from './class-names.js';
import { Icon, type IconName } from './icon.js';

type Common = Pick<
  AriaButtonProps,
  'onPress' | 'isDisabled' | 'type' | 'autoFocus' | 'slot' | 'aria-expanded' | 'aria-controls' | 'excludeFromTabOrder'
>;

export type ButtonProps = Common & {
  readonly children: ReactNode;
  /** `primary` once on a page at most; `plain` is the rule; `quiet` has no frame; `danger` cannot be undone. */
  readonly variant?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** While what it started runs: it keeps the focus and does nothing. */
  readonly isPending?: boolean;
};

export const Button = ({
  variant = 'plain',
  icon,
  children,
  isPending = false,
  onPress,
  type,
  ...rest
}: ButtonProps) => (
  <AriaButton
    {...rest}
    // Not by `isPending`: that has the button read aloud by its id, also when it is gone by then, and leaves a nameless image behind.
    onPress={isPending ? undefined : onPress}
    type={isPending ? 'button' : type}
    aria-disabled={isPending || undefined}
    className={classNames(styles['button'], styles[variant])}
  >
    {icon !== undefined && <Icon name={icon} />}
    <span className={styles['text']}>{children}</span>
  </AriaButton>
);

export type IconButtonProps = Common & { readonly label: string; readonly icon: IconName };

/** The label is read aloud and shown as a hint. */
export const IconButton = ({ label, icon, ...rest }: IconButtonProps) => (
  <AriaButton
    {...rest}
    aria-label={label}
    className={classNames(styles['button'], styles['quiet'], styles['iconOnly'])}
  >
    <Icon name={icon} />
  </AriaButton>
);
