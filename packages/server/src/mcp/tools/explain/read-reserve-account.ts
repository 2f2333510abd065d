import { decodeBase64 } from '@tidegate/core/base';
import { klend } from '@tidegate/core/protocol';
import type { ApiReading } from '../../api/api-reading.ts';
import { ReserveAccounts } from '../../api/api-schemas.ts';
import { notFound } from '../inspect/inspection.ts';

export type ReserveAccount = ReturnType<typeof klend.accounts.reserve.decode>;

/** The account of a reserve as it is on chain: with its configuration, not accrued. */
export async function readReserveAccount(
  reading: ApiReading,
  { market, reserve }: { readonly market: string; readonly reserve: string },
): Promise<ReserveAccount> {
  const path = `/svc-market/reserves/account-data?markets=${market}`;
  const markets = await reading.get(ReserveAccounts, path);
  const account = markets
    .flatMap(({ reserves }) => reserves)
    .find(({ pubkey }) => pubkey === reserve);
  if (account === undefined) throw notFound('reserve', reserve);
  const data = decodeBase64(account.data);
  return klend.accounts.reserve.decode({ owner: klend.KLEND_PROGRAM, data });
}
