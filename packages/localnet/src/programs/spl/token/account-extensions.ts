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
/** A byte behind the account that says what it is, before its extensions. */
const TYPE = 1;
const HEAD = 4;
const MULTISIG_SIZE = 355;

/** Bytes of what an account can have, by the number of the extension. */
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

/** What a mint asks of its accounts, in the order of its own extensions. */
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

/** Entries that are there already stay as they are; the others take of the free room behind them. */
export function addExtensions(before: Extensions, added: readonly Extension[]): Extensions {
  const missing = added.filter(({ kind }) => !before.entries.some((entry) => entry.kind === kind));
  const taken = sizeOf(missing);
  if (taken > before.rest.length) throw new ProgramFailure('InvalidAccountData');
  return { entries: [...before.entries, ...missing], rest: before.rest.slice(taken) };
}

/** How large an account of a mint with these extensions beside is. */
export function tokenAccountSize(mint: Mint, extraTypes: readonly number[]): number {
  const asked = requiredExtensions(mint);
  const types = new Set([...asked.map(typeOf), ...extraTypes]);
  if (types.size === 0) return tokenAccount.size;
  const bodies = [...types].map((type) => {
    const size = SIZES.get(type);
    if (size === undefined) throw tokenRejection('ExtensionTypeMismatch');
    return HEAD + size;
  });
  const total = bodies.reduce((sum, size) => sum + size, tokenAccount.size + TYPE);
  // nothing but a multisig has this size, so two bytes are left free
  return total === MULTISIG_SIZE ? total + 2 : total;
}

const sizeOf = (entries: readonly Extension[]): number =>
  encodeExtensions({ entries, rest: new Uint8Array() }).length;

function typeOf(entry: Extension): number {
  const [low = 0, high = 0] = encodeExtensions({ entries: [entry], rest: new Uint8Array() });
  return low + high * 256;
}
