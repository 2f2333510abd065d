import { type Address, CodedError, formatInstant, type UnixSeconds } from '@tidegate/core/base';
import { associatedTokenAddress, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { Cluster } from '../../clusters/served-clusters.ts';

/** A missing price does not appear by itself: an operator has to import it. */
const RETRY_SECONDS = 600;

/** Loads the events of a known loan. Throws HISTORY_INCOMPLETE if they are not complete yet. */
export async function requireLoanHistory(
  { reader, positionHistory }: Cluster,
  obligation: Address,
): Promise<void> {
  // transactions of any other address would be a stranger's work for the node
  if (reader.obligation(obligation) === undefined) return;
  await positionHistory?.require([{ name: `the loan ${obligation}`, address: obligation }]);
}

/** Loads the share trades of a wallet in a known vault. Throws HISTORY_INCOMPLETE if they are not complete yet. */
export async function requireShareHistory(
  { reader, positionHistory }: Cluster,
  wallet: Address,
  vault: Address,
): Promise<void> {
  const fields = reader.vault(vault)?.fields;
  if (fields === undefined) return;
  const address = associatedTokenAddress(wallet, fields.sharesMint, TOKEN_PROGRAM);
  const name = `the shares of ${wallet} in the vault ${vault}`;
  await positionHistory?.require([{ name, address }]);
}

/** `what`: whose figures need the price. */
export function missingPrice(what: string, token: string, at: UnixSeconds): CodedError {
  const reason = `the price of ${token} at ${formatInstant(at)} is not recorded`;
  return new CodedError('HISTORY_INCOMPLETE', { what, reason, retryAfterSeconds: RETRY_SECONDS });
}
