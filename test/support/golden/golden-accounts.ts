import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { goldenCluster } from './golden.ts';

export const golden = goldenCluster();
export const UNKNOWN_ADDRESS = toAddress('Vote111111111111111111111111111111111111111');

export function findGoldenAccount(
  accepts: (account: { owner: Address; data: Uint8Array }) => boolean,
) {
  const found = [...golden.accounts].find(([, account]) => accepts(account));
  if (found === undefined) throw new Error('golden account not found');
  return { address: found[0], account: found[1] };
}

export const goldenObligation = findGoldenAccount((account) => obligation.matches(account));
export const goldenTokenAccount = findGoldenAccount(
  (account) =>
    account.owner === TOKEN_PROGRAM && tokenAccount.matches(account) && (account.data[64] ?? 0) > 0,
);

export type RpcContextResponse = { context: { slot: number; apiVersion: string }; value: unknown };
export type AccountJson = {
  data: [string, string];
  owner: string;
  lamports: number;
  space: number;
  executable: boolean;
};
