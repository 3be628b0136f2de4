export const en = {
  title: 'My sessions',
  lead: 'The browsers in which you are signed in. End those that you do not know or no longer need.',
  current: 'This browser',
  unknown: 'Unknown browser',
  lastSeen: 'Last used',
  created: 'Signed in',
  ends: 'Ends at the latest',
  end: 'End this session',
  signOut: 'Sign out',
  endOthers: 'End all others',
  endOthersText: {
    one: '{count} session ends at once. Whoever uses it has to sign in again; what is not saved there stays on their page.',
    other:
      '{count} sessions end at once. Whoever uses them has to sign in again; what is not saved there stays on their page.',
  },
  ended: { one: '{count} session ended', other: '{count} sessions ended' },
  noOthers: 'You are signed in nowhere else.',

  clients: 'Clients that act for you',
  clientsText:
    'Programs that you connected by signing in. They may do at most what you allowed, and never more than you may.',
  noClients: 'No client acts for you',
  noClientsText: 'You connect one in the tools, under Connect a client.',
  resource: 'May use',
  scopes: 'Allowed rights',
  allowed: 'Allowed on',
  takeBack: 'Take back',
  takeBackText: '{name} loses its access at once and has to ask you again.',
} as const;
