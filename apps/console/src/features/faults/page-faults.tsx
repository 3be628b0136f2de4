/** What stands in the place of a page that cannot be shown. */
import { useMessages } from '../../language/language-provider.js';
import { faultsMessages } from '../../messages/faults/catalogue.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { PageHead } from '../../ui/page-head.js';
import { TextLink } from '../../ui/text-link.js';
import { CallFault } from './call-fault.js';

export const PageNotFound = () => {
  const say = useMessages(faultsMessages);
  return (
    <>
      <PageHead title={say('notFound')} />
      <EmptyState title={say('notFoundDetail')} action={<TextLink to="/">{say('home')}</TextLink>} />
    </>
  );
};

/** Also of a page whose code is not there any more, because the platform was updated meanwhile: loading again brings the new one. */
export const PageFault = ({ error }: { readonly error: unknown }) => {
  const say = useMessages(faultsMessages);
  const reload = <Button onPress={() => window.location.reload()}>{say('reload')}</Button>;
  return <CallFault error={error} actions={reload} />;
};
