import {
  type Address,
  type ClusterAccount,
  formatUnits,
  type UnixSeconds,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { scaledUiMultiplierAt, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  type Extension,
  findExtension,
  type Mint,
  mint,
  type TokenAccount,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import { hasCode } from '../../errors/index.ts';
import type { BankView } from '../../runtime/bank.ts';
import type { Json, JsonFields } from '../json.ts';

const FROZEN = 2;
/** The token program's year of 365.24 days, for displayed interest. */
const SECONDS_PER_YEAR = 60 * 60 * 24 * 365.24;

/**
 * A mint or token account in parsed form; undefined for other accounts, which nodes return in
 * base64.
 */
export function parseTokenAccountData(account: ClusterAccount, view: BankView): Json | undefined {
  const parsed = parseMint(account) ?? parseTokenAccount(account, view);
  if (parsed === undefined) return undefined;
  const program = account.owner === TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022';
  return { program, parsed, space: account.data.length };
}

/** Undefined if the account is not an initialized mint. */
export const decodeMintIfValid = (account: ClusterAccount | undefined): Mint | undefined =>
  account && mint.matches(account) ? decodeIfValid(() => mint.decode(account)) : undefined;

/** Undefined if the account is not an initialized token account. */
export const decodeTokenAccountIfValid = (
  account: ClusterAccount | undefined,
): TokenAccount | undefined =>
  account && tokenAccount.matches(account)
    ? decodeIfValid(() => tokenAccount.decode(account))
    : undefined;

/** An amount as wallets display it. `uiAmount` is a double, for display only, as on every node. */
export function uiTokenAmount(amount: bigint, mintFields: Mint, now: UnixSeconds): JsonFields {
  const uiAmountString = formatUiAmount(amount, mintFields, now);
  return {
    amount: amount.toString(),
    decimals: mintFields.decimals,
    uiAmount: Number(uiAmountString),
    uiAmountString,
  };
}

function parseMint(account: ClusterAccount): Json | undefined {
  const fields = decodeMintIfValid(account);
  if (fields === undefined) return undefined;
  const info = {
    mintAuthority: fields.mintAuthorityTag === 1 ? fields.mintAuthority : null,
    supply: fields.supply.toString(),
    decimals: fields.decimals,
    isInitialized: true,
    freezeAuthority: fields.freezeAuthorityTag === 1 ? fields.freezeAuthority : null,
    extensions: fields.extensions?.entries.map(parseExtension),
  };
  return { type: 'mint', info };
}

function parseTokenAccount(account: ClusterAccount, view: BankView): Json | undefined {
  const fields = decodeTokenAccountIfValid(account);
  const mintFields = fields && decodeMintIfValid(view.account(fields.mint));
  if (fields === undefined || mintFields === undefined) return undefined;
  const amount = (value: bigint) => uiTokenAmount(value, mintFields, view.time.unix);
  const optional = (tag: number, value: Address) => (tag === 1 ? value : undefined);
  const info = {
    mint: fields.mint,
    owner: fields.owner,
    tokenAmount: amount(fields.amount),
    delegate: optional(fields.delegateTag, fields.delegate),
    state: fields.state === FROZEN ? 'frozen' : 'initialized',
    isNative: fields.isNativeTag === 1,
    rentExemptReserve: fields.isNativeTag === 1 ? amount(fields.isNative) : undefined,
    delegatedAmount: fields.delegateTag === 1 ? amount(fields.delegatedAmount) : undefined,
    closeAuthority: optional(fields.closeAuthorityTag, fields.closeAuthority),
    extensions: fields.extensions?.entries.map(parseExtension),
  };
  return { type: 'account', info };
}

/** Names and fields of a node, except for the few that it formats as text. */
function parseExtension(extension: Extension): Json {
  switch (extension.kind) {
    case 'other':
      return { extension: 'unparseableExtension' };
    case 'immutableOwner':
    case 'nonTransferable':
    case 'nonTransferableAccount':
    case 'pausableAccount':
      return { extension: extension.kind };
    case 'defaultAccountState': {
      const accountState = extension.value.state === FROZEN ? 'frozen' : 'initialized';
      return { extension: extension.kind, state: { accountState } };
    }
    case 'scaledUiAmountConfig': {
      const { multiplier, newMultiplier, ...rest } = extension.value;
      const numbers = {
        multiplier: toDouble(multiplier).toString(),
        newMultiplier: toDouble(newMultiplier).toString(),
      };
      return { extension: extension.kind, state: { ...nullZeroKeys(rest), ...numbers } };
    }
    case 'pausableConfig': {
      const { authority, paused } = extension.value;
      return {
        extension: extension.kind,
        state: { ...nullZeroKeys({ authority }), paused: paused === 1 },
      };
    }
    case 'confidentialTransferMint': {
      const { autoApproveNewAccounts, ...rest } = extension.value;
      const flag = { autoApproveNewAccounts: autoApproveNewAccounts === 1 };
      return { extension: extension.kind, state: { ...nullZeroKeys(rest), ...flag } };
    }
    default:
      return { extension: extension.kind, state: nullZeroKeys(extension.value) };
  }
}

const nullZeroKeys = (fields: JsonFields): JsonFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === ZERO_ADDRESS ? null : value]),
  );

function toDouble(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

function formatUiAmount(amount: bigint, mintFields: Mint, now: UnixSeconds): string {
  const { decimals, extensions } = mintFields;
  const scaled = findExtension(extensions, 'scaledUiAmountConfig')?.value;
  if (scaled !== undefined) {
    const { numerator, denominator } = scaledUiMultiplierAt(scaled, now);
    return formatUnits((amount * numerator) / denominator, decimals);
  }
  const interest = findExtension(extensions, 'interestBearingConfig')?.value;
  if (interest === undefined) return formatUnits(amount, decimals);
  const growth = (bps: number, seconds: bigint) =>
    Math.exp((bps * Number(seconds)) / SECONDS_PER_YEAR / 10_000);
  const factor =
    growth(
      interest.preUpdateAverageRate,
      interest.lastUpdateTimestamp - interest.initializationTimestamp,
    ) * growth(interest.currentRate, now - interest.lastUpdateTimestamp);
  return ((Number(amount) * factor) / 10 ** decimals).toFixed(decimals).replace(/\.?0+$/, '');
}

/** Data that cannot be decoded is of another type. */
function decodeIfValid<Value>(decode: () => Value): Value | undefined {
  try {
    return decode();
  } catch (error) {
    if (hasCode(error, 'MALFORMED_DATA')) return undefined;
    throw error;
  }
}
