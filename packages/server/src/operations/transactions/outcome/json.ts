import { formatInstant, formatUnits } from '@tidegate/core/base';
import {
  type SolBalanceChange,
  type TokenBalanceChange,
  viewSimulatedFailure,
} from '@tidegate/core/views/transactions';
import type { Static } from 'typebox';
import { failureJson } from '../builder/failure-json.ts';
import type { TokenSymbolLookup } from '../builder/token-symbols.ts';
import type { OutcomeRequest, ReadOutcome } from './read-outcome.ts';
import type { TransactionOutcome } from './schema.ts';

type Json = Static<typeof TransactionOutcome>;

const NO_DETAILS =
  'The endpoint has the status of the transaction and not its details: they are not available yet, or not kept any more.';

export function outcomeJson(
  { signature, lastValidBlockHeight }: OutcomeRequest,
  { status, node, details }: ReadOutcome,
  symbols: TokenSymbolLookup,
): Json {
  const { found, blockHeight } = node;
  const isInBlock = details !== undefined || found !== undefined;
  const confirmation = confirmationOf({ status, node, details });
  const { blockTime, feePayer, fee, computeUnits, tokens, sol } = details ?? {};
  return {
    signature,
    status,
    meaning: meaningOf({ status, node, details }, lastValidBlockHeight),
    confirmation,
    isFinal: confirmation === 'finalized' || status === 'expired',
    slot: (details?.slot ?? found?.slot)?.toString() ?? null,
    blockTime: blockTime === undefined ? null : formatInstant(blockTime),
    blockHeight: blockHeight.toString(),
    lastValidBlockHeight: lastValidBlockHeight?.toString() ?? null,
    feePayer: feePayer ?? null,
    feeLamports: fee?.toString() ?? null,
    computeUnits: computeUnits?.toString() ?? null,
    failure: failureOf({ status, node, details }, symbols),
    tokenChanges: tokens?.map((change) => tokenChangeJson(change, symbols)) ?? null,
    solChanges: sol?.map(solChangeJson) ?? null,
    missing: isInBlock && status !== 'pending' ? missingOf(details) : null,
  };
}

/** A transaction that was found without a status is in a confirmed block, because endpoints return no others. */
function confirmationOf({ node: { found }, details }: ReadOutcome): Json['confirmation'] {
  if (details === undefined) return found?.confirmation ?? null;
  // it can have moved to another block in between
  return found?.slot === details.slot ? found.confirmation : 'confirmed';
}

function meaningOf(
  { status, node, details }: ReadOutcome,
  lastValidBlockHeight: bigint | undefined,
): string {
  const isFinal = confirmationOf({ status, node, details }) === 'finalized';
  const rollback = isFinal ? '' : ' Its block is not finalized yet and can still be rolled back.';
  switch (status) {
    case 'pending':
      return node.found === undefined
        ? `It is in no block yet. It can land up to block height ${lastValidBlockHeight}; the cluster is at ${node.blockHeight}.`
        : 'It is in a block that the cluster has not confirmed yet.';
    case 'landed':
      return `It was executed.${rollback}`;
    case 'failed':
      return `It was executed and failed: nothing was changed but the fee was taken.${rollback}`;
    case 'expired':
      return `It is in no block, and blocks above height ${lastValidBlockHeight} do not accept it: nothing was taken. Build the transaction again.`;
    case 'unknown':
      return lastValidBlockHeight === undefined
        ? 'The endpoint does not know it: it was not sent, is in no block yet, has expired, or is older than what the endpoint keeps. With lastValidBlockHeight a recent one is told to be pending or expired.'
        : `The endpoint does not know it, and does not have all blocks up to height ${lastValidBlockHeight} in which it could be: it has expired, or landed and is not kept any more.`;
  }
}

function failureOf(
  { status, node, details }: ReadOutcome,
  symbols: TokenSymbolLookup,
): Json['failure'] {
  if (status !== 'failed') return null;
  const failure = details?.failure ?? viewSimulatedFailure(node.found?.error, []);
  return failure === undefined ? null : failureJson(failure, { symbols, slot: node.slot });
}

function missingOf(details: ReadOutcome['details']): string | null {
  if (details === undefined) return NO_DETAILS;
  const parts = [
    ...(details.blockTime === undefined ? ['the time of the block'] : []),
    ...(details.tokens === undefined ? ['the token balances'] : []),
    ...(details.sol === undefined ? ['the balances of SOL'] : []),
  ];
  return parts.length === 0 ? null : `The endpoint does not return ${parts.join(', ')}.`;
}

function tokenChangeJson(
  { owner, accounts, mint, decimals, before, after }: TokenBalanceChange,
  symbols: TokenSymbolLookup,
): NonNullable<Json['tokenChanges']>[number] {
  const change = after - before;
  return {
    owner: owner ?? null,
    accounts: [...accounts],
    mint,
    symbol: symbols(mint),
    decimals,
    before: before.toString(),
    after: after.toString(),
    change: change.toString(),
    uiBefore: formatUnits(before, decimals),
    uiAfter: formatUnits(after, decimals),
    uiChange: formatUnits(change, decimals),
  };
}

function solChangeJson({
  account,
  tokenOwner,
  before,
  after,
}: SolBalanceChange): NonNullable<Json['solChanges']>[number] {
  const isExact = before !== undefined && after !== undefined;
  return {
    account,
    tokenOwner: tokenOwner ?? null,
    beforeLamports: before?.toString() ?? null,
    afterLamports: after?.toString() ?? null,
    changeLamports: isExact ? (after - before).toString() : null,
  };
}
