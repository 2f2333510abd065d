import { CodedError } from '../errors.ts';
import { type Lamports, toLamports } from './lamports.ts';

/** One, in the decimals of the farms and scope programs: the value times 10^18. Farms uses 192 bits. */
export const WAD = 10n ** 18n;

/** Checks that a value fits the program's unsigned integer of `bits` bits. */
export function checkBits(value: bigint, bits: number, what: string): bigint {
  if (value >> BigInt(bits) !== 0n) throw new CodedError('MATH_OVERFLOW', { what, bits });
  return value;
}

/** Rounded down. */
export const mulWad = (a: bigint, b: bigint): bigint => checkBits(a * b, 192, 'decimal') / WAD;

/** Rounded down. */
export function divWad(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new CodedError('DIVISION_BY_ZERO', { what: 'decimal' });
  return checkBits(a * WAD, 192, 'decimal') / b;
}

/** Accounts store decimals in 128 bits. */
export const checkStoredWad = (a: bigint): bigint => checkBits(a, 128, 'stored decimal');

/** The integer part, as an amount of tokens. */
export const floorWad = (a: bigint): Lamports => toLamports(a / WAD);
