export const en = {
  unreachable: 'The platform cannot be reached',
  unreachableDetail: 'No answer came. Check the connection; what you entered is still here.',
  unreadable: 'The answer was not understood',
  unreadableDetail: 'Something between this page and the platform answered (status {status}).',
  bug: 'This page has a fault',
  bugDetail: 'It could not be shown. Load it again; when that does not help, report it with the words below.',
  refused: 'Not possible',
  reload: 'Load the page again',
  home: 'To the start page',
  notFound: 'There is no such page',
  notFoundDetail: 'The address is not one of this console. It may have been cut off when it was copied.',
} as const;
