import styles from './live-region.module.css';

/** Said to who hears the page, when they have finished what they listen to; not seen. Change the text to say something else. */
export const LiveRegion = ({ text }: { readonly text: string }) => (
  <p className={styles['unseen']} role="status" aria-live="polite">
    {text}
  </p>
);
