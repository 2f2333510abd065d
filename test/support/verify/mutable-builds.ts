import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import type { RandomNumbers } from '../random/json-mutations.ts';
import { nameOf } from './edit-build.ts';
import { isEverything, type VerifiedBuild, wireOf } from './verified-build.ts';

/** A transaction, and the positions of bytes that do not decide where tokens go or how many were requested. */
export type MutableBuild = {
  readonly build: VerifiedBuild;
  readonly wire: Uint8Array;
  readonly isHarmless: (position: number) => boolean;
};

type Range = readonly [from: number, to: number];

/** One byte each: signature count, version, three of the header, number of keys. */
const KEYS_AT = 1 + 64 + 1 + 3 + 1;

/**
 * The exact list of what the verifier leaves open:
 * - the signature and the recent blockhash;
 * - cTokens of a withdrawal, within the tolerance of their value;
 * - SOL that a repayment of everything wraps: the program takes the debt, and the rest returns;
 * - how many shares each redemption but the last takes if everything is withdrawn;
 * - the least shares of a deposit, within the tolerance of their price.
 */
export function toMutable(build: VerifiedBuild): MutableBuild {
  const wire = wireOf(build);
  const { staticKeys, instructions } = decodeWireTransaction(wire).message;
  const blockhashAt = KEYS_AT + 32 * staticKeys.length;
  const open: Range[] = [
    [1, 65],
    [blockhashAt, blockhashAt + 32],
  ];
  // number of instructions, then program, number of accounts, accounts, number of bytes, bytes
  let at = blockhashAt + 32 + 1;
  instructions.forEach(({ accountIndexes, data }, i) => {
    const dataAt = at + 1 + 1 + accountIndexes.length + 1;
    at = dataAt + data.length;
    if (hasOpenAmount(build, i)) open.push([at - 8, at]);
  });
  const isHarmless = (position: number) =>
    open.some(([from, to]) => position >= from && position < to);
  return { build, wire, isHarmless };
}

const REDEMPTIONS = ['withdraw', 'withdrawFromAvailable'];

/** Whether the last eight bytes of an instruction are such an amount. */
function hasOpenAmount(build: VerifiedBuild, index: number): boolean {
  const { request, instructions } = build;
  const names = instructions.map(nameOf);
  const name = names[index] ?? '';
  const isAll = isEverything(build);
  if (request.operation === 'lend-withdraw' || request.operation === 'lend-deleverage') {
    return !isAll && name === 'withdrawObligationCollateralAndRedeemReserveCollateralV2';
  }
  if (request.operation === 'lend-repay') return isAll && name === 'transfer';
  if (request.operation === 'lend-exit') return name === 'transfer';
  if (name === 'depositWithMinSharesOut') return true;
  if (request.operation !== 'vault-withdraw' || !isAll) return false;
  const last = names.findLastIndex((each) => REDEMPTIONS.includes(each));
  return REDEMPTIONS.includes(name) && (request.mayBePartial === true || index !== last);
}

/** Mostly one other byte; sometimes several, two in each other's place, a byte more or a byte less. */
export function mutateWire(wire: Uint8Array, random: RandomNumbers): Uint8Array {
  const at = random(wire.length);
  const bytes = wire.slice();
  switch (random(8)) {
    case 0:
      return Uint8Array.of(...wire.subarray(0, at), ...wire.subarray(at + 1));
    case 1:
      return Uint8Array.of(...wire.subarray(0, at), random(256), ...wire.subarray(at));
    case 2: {
      const other = random(bytes.length);
      [bytes[at], bytes[other]] = [bytes[other] ?? 0, bytes[at] ?? 0];
      break;
    }
    case 3:
      for (let i = 0; i < 4; i++) bytes[random(bytes.length)] = random(256);
      break;
    default:
      bytes[at] = random(256);
  }
  return bytes;
}
