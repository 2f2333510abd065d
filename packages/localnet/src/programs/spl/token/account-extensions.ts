import { toLamports } from '@tidegate/core/base';
import {
  type Extension,
  type Extensions,
  encodeExtensions,
  type Mint,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { tokenRejection } from './token-errors.ts';

const IMMUTABLE_OWNER = 7;
/** The account type byte between the account and its extensions. */
const TYPE_BYTES = 1;
const HEADER_BYTES = 4;
const MULTISIG_SIZE = 355;

/** Data size by extension type. */
const SIZES: ReadonlyMap<number, number> = new Map([
  [2, 8],
  [5, 295],
  [IMMUTABLE_OWNER, 0],
  [8, 1],
  [11, 1],
  [13, 0],
  [15, 1],
  [17, 64],
  [27, 0],
]);

export const immutableOwner: Extension = { kind: 'immutableOwner', value: {} };

/** Extensions that the mint requires of its accounts, in the mint's order. */
export function requiredExtensions({ extensions }: Mint): Extension[] {
  return (extensions?.entries ?? []).flatMap(({ kind }): Extension[] => {
    switch (kind) {
      case 'transferFeeConfig':
        return [{ kind: 'transferFeeAmount', value: { withheldAmount: toLamports(0n) } }];
      case 'nonTransferable':
        return [{ kind: 'nonTransferableAccount', value: {} }, immutableOwner];
      case 'transferHook':
        return [{ kind: 'transferHookAccount', value: { transferring: 0 } }];
      case 'pausableConfig':
        return [{ kind: 'pausableAccount', value: {} }];
      default:
        return [];
    }
  });
}

/** Existing entries stay; missing ones use the free space after them. */
export function addExtensions(before: Extensions, added: readonly Extension[]): Extensions {
  const missing = added.filter(({ kind }) => !before.entries.some((entry) => entry.kind === kind));
  const usedBytes = sizeOf(missing);
  if (usedBytes > before.rest.length) throw new ProgramFailure('InvalidAccountData');
  return { entries: [...before.entries, ...missing], rest: before.rest.slice(usedBytes) };
}

/** Size of an account of the mint with additional extensions. */
export function tokenAccountSize(mint: Mint, extraTypes: readonly number[]): number {
  const required = requiredExtensions(mint);
  const types = new Set([...required.map(typeOf), ...extraTypes]);
  if (types.size === 0) return tokenAccount.size;
  const bodies = [...types].map((type) => {
    const size = SIZES.get(type);
    if (size === undefined) throw tokenRejection('ExtensionTypeMismatch');
    return HEADER_BYTES + size;
  });
  const total = bodies.reduce((sum, size) => sum + size, tokenAccount.size + TYPE_BYTES);
  // This size is reserved for multisigs, so two bytes stay unused.
  return total === MULTISIG_SIZE ? total + 2 : total;
}

const sizeOf = (entries: readonly Extension[]): number =>
  encodeExtensions({ entries, rest: new Uint8Array() }).length;

function typeOf(entry: Extension): number {
  const [low = 0, high = 0] = encodeExtensions({ entries: [entry], rest: new Uint8Array() });
  return low + high * 256;
}
