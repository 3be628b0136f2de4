/**
 * A program that connects to an MCP server by OAuth: what it keeps, and the place to which its user's browser is sent back. Both
 * generations of the SDK take it as their provider.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { findFreePort } from '@tessera/local-stack';
import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

export type OAuthClient = Awaited<ReturnType<typeof startOAuthClient>>;

export const clientName = 'Reports of the week';

type Kept = {
  information?: OAuthClientInformationMixed;
  tokens?: OAuthTokens;
  verifier?: string;
  state?: string;
  discovery?: OAuthDiscoveryState;
};

const callbackPage = '<!doctype html><html lang="en"><title>Connected</title><h1>Connected</h1></html>';

/** Registers, keeps and renews by itself; its user goes to `destination()` and comes back as the last of `callbacks`. */
export const startOAuthClient = async () => {
  const port = await findFreePort();
  const redirectUrl = `http://127.0.0.1:${port}/callback`;
  const callbacks: URL[] = [];
  const server = createServer(({ url = '' }, answer) => {
    callbacks.push(new URL(url, redirectUrl));
    answer.writeHead(200, { 'Content-Type': 'text/html' }).end(callbackPage);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const kept: Kept = {};
  let destination: URL | undefined;
  const provider = {
    redirectUrl,
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => (kept.state = randomUUID()),
    clientInformation: () => kept.information,
    saveClientInformation: (information: OAuthClientInformationMixed) => void (kept.information = information),
    tokens: () => kept.tokens,
    saveTokens: (tokens: OAuthTokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (discovery: OAuthDiscoveryState) => void (kept.discovery = discovery),
    discoveryState: () => kept.discovery,
    invalidateCredentials: (scope: string) => {
      if (scope === 'tokens' || scope === 'all') delete kept.tokens;
      if (scope === 'client' || scope === 'all') delete kept.information;
    },
    redirectToAuthorization: (address: URL) => void (destination = address),
  };
  return {
    provider,
    kept,
    callbacks,
    destination: () => destination?.href ?? '',
    stop: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};
