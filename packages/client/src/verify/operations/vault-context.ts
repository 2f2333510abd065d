import { tokenAccountOf, vaultAccounts } from '../bytes/derived-addresses.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../bytes/programs.ts';
import type { ChainData, ReserveData, ShareData, VaultData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import type {
  VaultDepositRequest,
  VaultExitRequest,
  VaultWithdrawRequest,
} from '../verifiable-request.ts';
import type { Amount } from './amounts.ts';
import { calledPrograms } from './called-programs.ts';
import type { FarmContext } from './farm-rules.ts';
import type { Findings } from './findings.ts';
import { wrappedSolAccount } from './wallet-rules.ts';

/** What the accounts of a vault transaction must be. */
export type VaultContext = FarmContext & {
  readonly program: string;
  readonly vault: string;
  readonly vaultData: VaultData | undefined;
  readonly shareData: ShareData | undefined;
  readonly reserves: Readonly<Record<string, ReserveData>>;
  readonly lendingProgram: string;
  /** From the chain data, otherwise from the transaction: the program compares them with the vault. */
  readonly mint: string;
  readonly tokenProgram: string;
  readonly tokenAccount: string;
  readonly sharesMint: string;
  readonly sharesAccount: string;
  readonly isSol: boolean;
  readonly amount: Amount;
  readonly decimals: number | undefined;
};

type VaultInput = {
  readonly request: VaultDepositRequest | VaultWithdrawRequest | VaultExitRequest;
  readonly amount: Amount;
  readonly decimals: number | undefined;
  readonly main: Call;
  readonly chainData: ChainData;
  readonly findings: Findings;
};

export function createVaultContext(input: VaultInput): VaultContext {
  const { request, amount, decimals, main, chainData, findings } = input;
  const { wallet, kvault: vault } = request;
  const { program } = main;
  const { vault: data } = chainData;
  const mint = data?.tokenMint ?? main.accounts['tokenMint'] ?? '';
  const tokenProgram = data?.tokenProgram ?? main.accounts['tokenProgram'] ?? '';
  const sharesMint = data?.sharesMint ?? vaultAccounts.sharesMint(program, vault);
  const tokenAccount = tokenAccountOf(wallet, mint, tokenProgram);
  const sharesAccount = tokenAccountOf(wallet, sharesMint, TOKEN_PROGRAM);
  const farm = data === undefined ? request.farm : (data.farm ?? undefined);
  return {
    wallet,
    findings,
    ownAccounts: new Set([wallet, tokenAccount, sharesAccount, wrappedSolAccount(wallet)]),
    program,
    vault,
    vaultData: data,
    shareData: chainData.shares,
    reserves: chainData.reserves ?? {},
    lendingProgram: calledPrograms(request, chainData).klend,
    mint,
    tokenProgram,
    tokenAccount,
    sharesMint,
    sharesAccount,
    isSol: mint === WRAPPED_SOL_MINT,
    amount,
    decimals,
    farm,
    farms: chainData.farms ?? {},
    stakedMint: sharesMint,
    stakedAccount: sharesAccount,
  };
}
