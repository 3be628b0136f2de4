/** Access tokens that were revoked before they expired. In a transaction of the team. */
import { LessThan, type EntityManager } from 'typeorm';
import { RevokedToken } from './entities/revoked-token.entity.js';

/** Twice does no harm. Forgets those of the team that have expired. */
export const revokeToken = async (
  manager: EntityManager,
  team: string,
  tokenId: string,
  expiresAt: Date,
): Promise<void> => {
  await manager.delete(RevokedToken, { tenant: team, expiresAt: LessThan(new Date()) });
  await manager.upsert(RevokedToken, { tenant: team, tokenId, expiresAt }, ['tenant', 'tokenId']);
};

export const isTokenRevoked = (manager: EntityManager, team: string, tokenId: string): Promise<boolean> =>
  manager.existsBy(RevokedToken, { tenant: team, tokenId });
