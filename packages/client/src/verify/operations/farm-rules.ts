import { farmAccounts } from '../bytes/derived-addresses.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../bytes/programs.ts';
import type { FarmData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import {
  type AccountRule,
  type AccountRules,
  always,
  exactly,
  storedOnChain,
  type WalletContext,
} from './account-rules.ts';

export type FarmContext = WalletContext & {
  /** The farm of the vault's shares. */
  readonly farm: string | undefined;
  readonly farms: Readonly<Record<string, FarmData>>;
  /** The staked token, and the wallet's account for it. */
  readonly stakedMint: string;
  readonly stakedAccount: string;
};

type Rule = AccountRule<FarmContext>;

const wallet: Rule = exactly('WRONG_WALLET', (context) => context.wallet);

const farmData = ({ farms }: FarmContext, { accounts }: Call): FarmData | undefined =>
  farms[accounts['farmState'] ?? ''];

/** Rules for the wallet's own stake of shares. */
export const stakeRules: AccountRules<FarmContext> = {
  authority: wallet,
  payer: wallet,
  owner: wallet,
  delegatee: wallet,
  userState: exactly('WRONG_FARM', (context, { accounts }) =>
    farmAccounts.userState(accounts['farmState'] ?? '', context.wallet),
  ),
  farmState: exactly('WRONG_FARM', ({ farm }) => farm),
  farmVault: storedOnChain({
    value: (context, call) => farmData(context, call)?.vault,
    derived: ({ stakedMint }, { accounts }) => [
      farmAccounts.vault(accounts['farmState'] ?? '', stakedMint),
    ],
  }),
  farmVaultsAuthority: storedOnChain({
    value: (context, call) => farmData(context, call)?.authority,
    derived: (_, { accounts }) => [farmAccounts.authority(accounts['farmState'] ?? '')],
  }),
  userAta: exactly('WRONG_TOKEN_ACCOUNT', ({ stakedAccount }) => stakedAccount),
  tokenMint: exactly('WRONG_ACCOUNT', ({ stakedMint }) => stakedMint),
  scopePrices: storedOnChain({ value: (context, call) => farmData(context, call)?.scopePrices }),
  tokenProgram: always(TOKEN_PROGRAM),
  systemProgram: always(SYSTEM_PROGRAM),
  rent: always(RENT_SYSVAR),
};
