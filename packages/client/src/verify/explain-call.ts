import type { DecodedCall } from './instructions/decode-calls.ts';
import { isForeign } from './instructions/decode-calls.ts';
import { formatAmount, U64_MAX } from './operations/amounts.ts';

export type ExplainedInstruction = {
  readonly index: number;
  readonly program: string;
  readonly name: string;
  /** One sentence. */
  readonly explanation: string;
};

type Accounts = Readonly<Record<string, string>>;
type Phrase = (accounts: Accounts, amount: string, value: bigint) => string;

const everythingOr = (amount: string, value: bigint, text: string): string =>
  value === U64_MAX ? text : amount;

/** `amount` is the first argument in whole tokens if their decimals are known. */
const phrases: Readonly<Record<string, Phrase>> = {
  'computeBudget setComputeUnitLimit': (_, __, value) =>
    `Limits the transaction to ${value} compute units.`,
  'computeBudget setComputeUnitPrice': (_, __, value) =>
    `Pays a priority fee of ${value} micro-lamports per compute unit.`,
  'associatedToken createIdempotent': ({ ata, mint, payer }) =>
    `Opens the token account ${ata} for the token ${mint} if it does not exist; ${payer} pays the rent.`,
  'system transfer': ({ from, to }, _, value) =>
    `Transfers ${formatAmount(value, 9)} SOL from ${from} to ${to}.`,
  'token syncNative': ({ account }) => `Counts the SOL in ${account} as wrapped SOL.`,
  'token closeAccount': ({ account, destination }) =>
    `Closes the token account ${account}; its SOL goes to ${destination}.`,
  'klend initUserMetadata': ({ owner }) => `Registers ${owner} with the lending program.`,
  'klend initObligation': ({ obligation, lendingMarket }) =>
    `Opens the loan ${obligation} in the market ${lendingMarket}.`,
  'klend initObligationFarmsForReserve': ({ obligation, reserveFarmState }) =>
    `Opens an account for the rewards of the loan ${obligation} in the farm ${reserveFarmState}.`,
  'klend initReferrerTokenState': ({ referrer, reserve }) =>
    `Opens the account for the fees of the referrer ${referrer} in the reserve ${reserve}.`,
  'klend refreshReserve': ({ reserve }) =>
    `Updates interest and price of the reserve ${reserve}; moves no tokens.`,
  'klend refreshObligation': ({ obligation }) => `Updates the loan ${obligation}; moves no tokens.`,
  'klend depositReserveLiquidityAndObligationCollateralV2': (
    { userSourceLiquidity, reserve, obligation },
    amount,
  ) =>
    `Deposits at most ${amount} tokens from ${userSourceLiquidity} into the reserve ${reserve}, as collateral of the loan ${obligation}.`,
  'klend borrowObligationLiquidityV2': (
    { borrowReserve, obligation, userDestinationLiquidity },
    amount,
    value,
  ) =>
    `Borrows ${everythingOr(amount, value, 'as many as possible')} tokens of the reserve ${borrowReserve} for the loan ${obligation}, paid to ${userDestinationLiquidity}.`,
  'klend repayObligationLiquidityV2': (
    { userSourceLiquidity, repayReserve, obligation },
    amount,
    value,
  ) =>
    `Repays ${value === U64_MAX ? 'the whole debt' : `at most ${amount} tokens`} of the loan ${obligation} to the reserve ${repayReserve}, from ${userSourceLiquidity}.`,
  'klend withdrawObligationCollateralAndRedeemReserveCollateralV2': (
    { withdrawReserve, obligation, userDestinationLiquidity },
    _,
    value,
  ) =>
    `Withdraws ${value === U64_MAX ? 'the whole deposit' : `${value} smallest units of cTokens`} of the loan ${obligation} from the reserve ${withdrawReserve}, paid to ${userDestinationLiquidity}.`,
  'klend flashBorrowReserveLiquidity': ({ reserve, userDestinationLiquidity }, amount) =>
    `Takes a flash loan of ${amount} from the reserve ${reserve}, paid to ${userDestinationLiquidity}.`,
  'klend flashRepayReserveLiquidity': ({ reserve, userSourceLiquidity }, amount) =>
    `Repays the flash loan of ${amount} to the reserve ${reserve} with its fee, from ${userSourceLiquidity}.`,
  'klend liquidateObligationAndRedeemReserveCollateralV2': (
    { obligation, repayReserve, withdrawReserve, userSourceLiquidity, userDestinationLiquidity },
    amount,
    value,
  ) =>
    `Repays ${value === U64_MAX ? 'as much as is allowed' : `at most ${amount} tokens`} of the loan ${obligation} to the reserve ${repayReserve}, from ${userSourceLiquidity}, for collateral of the reserve ${withdrawReserve}, paid to ${userDestinationLiquidity}.`,
  'kvault deposit': ({ userTokenAta, vaultState, userSharesAta }, amount) =>
    `Deposits at most ${amount} tokens from ${userTokenAta} into the vault ${vaultState}; the shares go to ${userSharesAta}.`,
  'kvault depositWithMinSharesOut': ({ userTokenAta, vaultState, userSharesAta }, amount) =>
    `Deposits at most ${amount} tokens from ${userTokenAta} into the vault ${vaultState}, or nothing if it issues too few shares; they go to ${userSharesAta}.`,
  'kvault withdraw': ({ vaultState, reserve, userTokenAta }, amount, value) =>
    `Redeems ${everythingOr(amount, value, 'all')} shares of the vault ${vaultState} for its idle tokens and tokens of the reserve ${reserve}, paid to ${userTokenAta}.`,
  'kvault withdrawFromAvailable': ({ vaultState, userTokenAta }, amount, value) =>
    `Redeems ${everythingOr(amount, value, 'all')} shares of the vault ${vaultState} for its idle tokens, paid to ${userTokenAta}.`,
  'farms initializeUser': ({ owner, farmState }) =>
    `Opens a stake of ${owner} in the farm ${farmState}.`,
  'farms stake': ({ userAta, farmState }, amount, value) =>
    `Stakes ${everythingOr(amount, value, 'all')} shares of ${userAta} in the farm ${farmState}.`,
  'farms unstake': ({ farmState }, _, value) =>
    `Unstakes ${formatAmount(value, 18)} smallest units of shares from the farm ${farmState}.`,
  'farms withdrawUnstakedDeposits': ({ farmState, userAta }) =>
    `Takes unstaked shares out of the farm ${farmState}, into ${userAta}.`,
  'farms harvestReward': ({ farmState, rewardMint, userRewardTokenAccount }) =>
    `Claims the reward ${rewardMint} of the farm ${farmState}, paid to ${userRewardTokenAccount}.`,
};

/** An instruction of the swap that the request has. */
export const explainGiven = (index: number, program: string): ExplainedInstruction => ({
  index,
  program,
  name: 'swap',
  explanation: 'Executes an instruction of the swap, as you gave it.',
});

/** `decimals`: of the token or the shares of the request. */
export function explainCall(call: DecodedCall, decimals: number | undefined): ExplainedInstruction {
  const { index, program } = call;
  if (isForeign(call)) {
    return { index, program, name: call.name, explanation: call.reason.message };
  }
  const accounts: Record<string, string> = {};
  for (const [name, address] of Object.entries(call.accounts)) accounts[name] = address ?? 'none';
  const [value = 0n] = Object.values(call.args);
  const phrase = phrases[call.key];
  const explanation = phrase?.(accounts, formatAmount(value, decimals), value) ?? call.spec.name;
  return { index, program, name: call.spec.name, explanation };
}
