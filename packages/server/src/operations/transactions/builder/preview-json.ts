import { formatUnits, type LatestBlockhash } from '@tidegate/core/base';
import type {
  BuildSummary,
  TokenChange,
  TokenMove,
  UnsignedTransaction,
} from '@tidegate/core/builders';
import { PACKET_DATA_SIZE } from '@tidegate/core/views/transactions';
import type { Static } from 'typebox';
import { failureJson } from './failure-json.ts';
import type { PreviewOutcome } from './preview.ts';
import type { Preview } from './preview-schema.ts';
import type { TokenSymbolLookup } from './token-symbols.ts';

type Json = Static<typeof Preview>;

export type PreviewResult = {
  readonly outcome: PreviewOutcome;
  /** Why the cluster did not simulate it; undefined if it did. */
  readonly reason: string | undefined;
  readonly feeLamports: bigint;
  readonly transaction: UnsignedTransaction;
  readonly latest: LatestBlockhash;
  readonly plan: BuildSummary;
  readonly symbols: TokenSymbolLookup;
};

export function previewJson(result: PreviewResult): Json {
  const { outcome, reason, feeLamports, transaction, latest, plan, symbols } = result;
  const { failure, slot, figuresSlot, computeUnits, tokens, lamports, loan } = outcome;
  const { blockhash, lastValidBlockHeight } = latest;
  return {
    simulated: reason === undefined,
    reason: reason ?? null,
    success: failure === undefined,
    error: failure === undefined ? null : failureJson(failure, { symbols, slot: figuresSlot }),
    slot: slot.toString(),
    computeUnits: computeUnits === undefined ? null : Number(computeUnits),
    feeLamports: feeLamports.toString(),
    sizeBytes: transaction.bytes,
    sizeLimit: PACKET_DATA_SIZE,
    lookupTables: transaction.message.lookups.map(({ table }) => table),
    expiry: { blockhash, lastValidBlockHeight: lastValidBlockHeight.toString() },
    solChangeLamports: (lamports - feeLamports).toString(),
    solChangeWithoutFeeLamports: lamports.toString(),
    tokenChanges: tokens.map((change) => changeJson(change, symbols)),
    plan: planJson(plan, symbols),
    loan,
  };
}

const changeJson = (
  { mint, decimals, change }: TokenChange,
  symbols: TokenSymbolLookup,
): Json['tokenChanges'][number] => ({
  mint,
  symbol: symbols(mint),
  decimals,
  change: change.toString(),
  uiChange: formatUnits(change, decimals),
});

function planJson(plan: BuildSummary, symbols: TokenSymbolLookup): Json['plan'] {
  return {
    summary: plan.summary,
    steps: plan.steps.map(({ program, name, why }) => ({ program, name, why })),
    creates: plan.creates.map(({ address, what, rentLamports }) => {
      return { address, what, rentLamports: rentLamports.toString() };
    }),
    closes: plan.closes.map(({ address, what, refundLamports }) => {
      return { address, what, refundLamports: refundLamports.toString() };
    }),
    rentLamports: plan.rentLamports.toString(),
    pays: plan.pays.map((move) => moveJson(move, symbols)),
    receives: plan.receives.map((move) => moveJson(move, symbols)),
    notes: [...plan.notes],
  };
}

const moveJson = (
  { mint, decimals, amount, certainty }: TokenMove,
  symbols: TokenSymbolLookup,
): Json['plan']['pays'][number] => ({
  mint,
  symbol: symbols(mint),
  decimals,
  amount: amount.toString(),
  uiAmount: formatUnits(amount, decimals),
  certainty,
});
